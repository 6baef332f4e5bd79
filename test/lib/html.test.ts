import { describe, expect, test } from 'bun:test'
import { html, trustedMarkup } from '../../src/lib/html.ts'

describe('an HTML template', () => {
  test('escapes text, so that it is neither markup nor the end of an attribute', () => {
    const hostile = `</title><script>alert('1')</script>" onload="x`
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      `<p title="&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onload=&quot;x">` +
        `&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onload=&quot;x</p>`,
    )
  })

  test('keeps markup that it has made, alone and in a list', () => {
    const items = ['a', '<b>'].map((name) => html`<li>${name}</li>`)
    expect(html`<ul>${items}${html`<li>last</li>`}</ul>`.text).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li><li>last</li></ul>',
    )
  })

  test('escapes text in a list', () => {
    expect(html`${['<a>', '<b>']}`.text).toBe('&lt;a&gt;&lt;b&gt;')
  })

  test('leaves nothing of null, and a zero as it is', () => {
    expect(html`<p>${null}${0}</p>`.text).toBe('<p>0</p>')
  })

  test('keeps what the program trusts, even with the dollar signs that a replacement would read', () => {
    expect(html`<style>${trustedMarkup('a>b{} $& $1')}</style>`.text).toBe('<style>a>b{} $& $1</style>')
  })
})
