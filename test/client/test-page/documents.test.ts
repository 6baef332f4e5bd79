import { describe, expect, test } from 'bun:test'
import { bundleTestPage } from '../../../src/client/bundle.ts'
import { testPageDocuments } from '../../../src/client/test-page/documents.ts'

const parts = await bundleTestPage()
const documents = testPageDocuments(parts)
const data = {
  account: { handle: 'acme', name: 'A & B </title><script>alert(1)</script>' },
  domains: [{ host: 'go.acme.test', origin: 'https://go.acme.test' }],
  forms: [{ id: 'contact1', name: '</script><img src=x>', asks: false }],
  botCheckProvider: 'altcha',
  expiresAt: 0,
  thirdPartyUrl: null,
}

describe('the test page’s document', () => {
  test('writes what an operator wrote as text, in markup and in data', () => {
    const { html } = documents.page(data)
    expect(html.match(/<\/script>/g)).toHaveLength(2)
    expect(html).not.toContain('<img')
    expect(html).toContain('<h1>A &amp; B &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h1>')
  })

  test('connects to nobody, but in the demo’s doorway to the preview host', () => {
    expect(documents.page(data).policy).toContain("connect-src 'none'")
    const doorway = { ...data, thirdPartyUrl: 'http://preview.localhost:8080/_preview/test?account=demo' }
    expect(documents.page(doorway).policy).toContain('connect-src http://preview.localhost:8080;')
  })

  test.each([
    ['altcha', "frame-src 'none'"],
    ['turnstile', 'frame-src https://challenges.cloudflare.com'],
    ['hcaptcha', 'https://*.hcaptcha.com'],
    ['recaptcha', 'https://www.google.com/recaptcha/'],
  ])('opens the website to what the provider documents, and no further: %s', (botCheckProvider, source) => {
    const { policy } = documents.website({ origin: 'https://go.acme.test', botCheckProvider })
    expect(policy).toContain(source)
    expect(policy).not.toMatch(/unsafe|(?:^| )\*(?: |;|$)/)
  })
})

describe('the parts of the test page', () => {
  test('are small enough to look at on a phone', () => {
    const bytes = Object.values(parts).reduce((sum, text) => sum + Bun.gzipSync(Buffer.from(text)).length, 0)
    expect(bytes).toBeLessThan(16_000)
  })

  test.each([/\.cookie\b/, /\blocalStorage\b/, /\bsessionStorage\b/, /\binnerHTML\b/, /\beval\(/, /new Function/])(
    'never touch %p',
    (forbidden) => {
      expect(parts.script).not.toMatch(forbidden)
    },
  )
})
