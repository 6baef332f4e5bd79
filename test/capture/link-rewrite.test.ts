import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type RewrittenMail, rewriteLinks } from '../../src/capture/link-rewrite.ts'

/** Click links that show their destination, in place of a token. */
const rewrite = (html: string, clickLink = shown): RewrittenMail =>
  rewriteLinks(html, { servedHost: 'go.acme.test', previewHost: 'preview.example.test', clickLink })

const shown = (destination: string): string | null => `https://go.acme.test/_svc/c/${encodeURIComponent(destination)}`
const clickLink = (destination: string): string => shown(destination) ?? ''

const spring = 'https://go.acme.test/spring'

describe('link rewriting', () => {
  test('a link to the domain becomes a click link', () => {
    expect(rewrite(`<p><a href="${spring}">Look</a></p>`)).toEqual({
      html: `<p><a href="${clickLink(spring)}">Look</a></p>`,
      changed: [{ destination: spring, line: 1 }],
      left: [],
    })
  })

  test('an address that is longer than any click link stays, and is not read further', () => {
    const html = `<a href="${spring}?${'&#97;'.repeat(20_000)}">`
    const readAll = (destination: string) => (destination.length > 2000 ? clickLink('x') : null)
    expect(rewrite(html, readAll)).toMatchObject({ html, left: [{ why: expect.stringContaining('2,000 characters') }] })
  })

  test('has the line of its tag', () => {
    const html = `<p>\r\n<a\n href="${spring}">\n</a>\n<!--\n-->\n<a href="mailto:x">x</a><a href="${spring}?b">`
    expect(rewrite(html).changed.map(({ line }) => line)).toEqual([2, 7])
  })

  test('an area of an image map too', () => {
    expect(rewrite(`<area href="${spring}">`).html).toBe(`<area href="${clickLink(spring)}">`)
  })

  test('a link to the preview host too', () => {
    const preview = 'https://preview.example.test/_preview/k3x9a0b1?exp=1'
    expect(rewrite(`<a href="${preview}">`).html).toBe(`<a href="${clickLink(preview)}">`)
  })

  test('links elsewhere than in an a or area stay, and are no links of the mail', () => {
    const html = `<img src="${spring}"><link href="${spring}"><form action="${spring}"></form>`
    expect(rewrite(html)).toEqual({ html, changed: [], left: [] })
  })

  const destinations: Record<string, string> = {
    'https://go.acme.test/?a=1&amp;b=2': 'https://go.acme.test/?a=1&b=2',
    'https://go.acme.test/?a=1&#38;b=2': 'https://go.acme.test/?a=1&b=2',
    'https://go.acme.test/?a=1&#x26;b=2': 'https://go.acme.test/?a=1&b=2',
    'https://go.acme.test/?a=1&b=2': 'https://go.acme.test/?a=1&b=2',
    'https://go.acme.test/?a=1&amp=2': 'https://go.acme.test/?a=1&amp=2',
    'https://go.acme.test/?a=1&copy=2': 'https://go.acme.test/?a=1&copy=2',
    'https&colon;&sol;&sol;go.acme.test&sol;x': 'https://go.acme.test/x',
    '&#104;ttps://go.acme.test/x': 'https://go.acme.test/x',
    'https://go.acme.test/?q=&quot;a&quot;': 'https://go.acme.test/?q=%22a%22',
    'https://go.acme.test/spring\n': 'https://go.acme.test/spring',
    'HTTPS://GO.ACME.TEST/Spring': 'https://go.acme.test/Spring',
    'http://go.acme.test:8080/x': 'http://go.acme.test:8080/x',
  }
  for (const [href, destination] of Object.entries(destinations)) {
    test(`${JSON.stringify(href)} leads to ${destination}`, () => {
      expect(rewrite(`<a href="${href}">`).html).toBe(`<a href="${clickLink(destination)}">`)
    })
  }

  const tags: Record<string, string> = {
    '<a\n  class=x\n  href="URL"\n  style = "color: red"  >': '<a\n  class=x\n  href="NEW"\n  style = "color: red"  >',
    "<A HREF='URL' title='>'>": "<A HREF='NEW' title='>'>",
    '<a href=URL target=_blank>': '<a href="NEW" target=_blank>',
    '<a href = "URL"/>': '<a href = "NEW"/>',
    '<a data-href="URL" href="URL">': '<a data-href="URL" href="NEW">',
    '<a title="href=&quot;URL" href="URL">': '<a title="href=&quot;URL" href="NEW">',
    '<a href="URL" href="URL">': '<a href="NEW" href="URL">',
    '<a/href="URL">': '<a/href="NEW">',
    '<a data-x href="URL">': '<a data-x href="NEW">',
  }
  for (const [before, after] of Object.entries(tags)) {
    test(`${JSON.stringify(before)} keeps every other character`, () => {
      expect(rewrite(before.replaceAll('URL', spring)).html).toBe(
        after.replaceAll('URL', spring).replaceAll('NEW', clickLink(spring)),
      )
    })
  }

  test('nothing but the links changes in a mail as programs make them', () => {
    const mail = (href: string) =>
      `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">\r\n<html xmlns:v="urn:x"><head><style>a{color:red}</style>` +
      `<!--[if mso]><xml><o:X/></xml><![endif]--></head>\r\n<body bgcolor=#ffffff><table  ><tr><td align=center >` +
      `<a\n href="${href}"\n target="_blank" >Grüße &amp; mehr \u{1f600}</a ></TD></tr></table>` +
      `<textarea><a href="${spring}"></textarea><p>&nbsp;<br/>\t<!-- a > b --></body></html>\r\n`
    expect(rewrite(mail(spring)).html).toBe(mail(clickLink(spring)))
  })

  test('a mail without links comes back as it was, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('<', '</', '<p x=', '"', '<!--', '-->', '&')),
        ),
        (parts) => {
          const html = parts.join('')
          expect(rewrite(html).html).toBe(html)
        },
      ),
    )
  })

  const left: Record<string, RegExp> = {
    'mailto:sales@acme.test': /not a web address \(mailto:\)/,
    'tel:+4912345': /not a web address \(tel:\)/,
    'javascript:alert(1)': /not a web address \(javascript:\)/,
    '#top': /within the mail/,
    '': /within the mail/,
    '/spring': /not an absolute address/,
    'spring.html': /not an absolute address/,
    'https://www.acme.test/': /go\.acme\.test leads only to that host/,
    'https://www.acme.test/a b': /go\.acme\.test leads only to that host/,
    'https://go.acme.test/a b': /contains a space: write %20/,
    'https://user@go.acme.test/': /leads only to that host/,
    'https://go.acme.test\\@evil.test/': /leads only to that host/,
    'https://go.acme.test/unsubscribe?u=1': /unsubscribes/,
    'https://go.acme.test/x?action=Opt-Out': /unsubscribes/,
    'https://go.acme.test/newsletter/abmelden': /unsubscribes/,
    'https://go.acme.test/d%C3%A9sabonnement': /unsubscribes/,
    'https://go.acme.test/?id={{contact.id}}': /placeholder/,
    'https://go.acme.test/?id=%7B%7Bid%7D%7D': /placeholder/,
    'https://go.acme.test/?id=%%id%%': /placeholder/,
    'https://go.acme.test/?id=*|UNIQID|*': /placeholder/,
    'https://go.acme.test/?id={% if x %}': /placeholder/,
    '{{unsubscribe_url}}': /placeholder/,
    'https://go.acme.test/?a=&Uuml;': /character reference/,
    'https://go.acme.test/_svc/c/1.a.b.c': /already a click link/,
  }
  for (const [href, why] of Object.entries(left)) {
    test(`${JSON.stringify(href)} is left, and it is said why`, () => {
      const html = `<a href="${href}">x</a>`
      expect(rewrite(html)).toEqual({ html, changed: [], left: [{ href, why: expect.stringMatching(why) }] })
    })
  }

  for (const attribute of [
    'rel="nofollow unsubscribe"',
    'class="footer-unsubscribe"',
    'data-list-unsubscribe',
    'id="optout"',
  ]) {
    test(`a link with ${attribute} is left, since it unsubscribes`, () => {
      const html = `<a href="${spring}" ${attribute}>x</a>`
      expect(rewrite(html)).toEqual({
        html,
        changed: [],
        left: [{ href: spring, why: expect.stringContaining('unsubscribes') }],
      })
    })
  }

  test('a link to a domain whose name only sounds like unsubscribing is rewritten', () => {
    const html = rewriteLinks('<a href="https://optout.test/x">', {
      servedHost: 'optout.test',
      previewHost: 'p.test',
      clickLink: () => '/new',
    }).html
    expect(html).toBe('<a href="/new">')
  })

  test('a link in a comment for Outlook is left and named', () => {
    const html = `<!--[if mso]><v:roundrect href="${spring}" arcsize="8%"><![endif]-->`
    expect(rewrite(html)).toEqual({
      html,
      changed: [],
      left: [{ href: spring, why: expect.stringContaining('comment') }],
    })
  })

  test('a link too long for a token is left and named', () => {
    const html = `<a href="${spring}">`
    expect(rewrite(html, () => null)).toEqual({
      html,
      changed: [],
      left: [{ href: spring, why: expect.stringContaining('2,000') }],
    })
  })

  test('links are rewritten each to its own destination, in any number and order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 99 })), { maxLength: 30 }), (links) => {
        const html = (ours: (url: string) => string) =>
          links
            .map(([own, i]) => `<a href="${own ? ours(`${spring}/${i}`) : `https://other.test/${i}`}">${i}</a>`)
            .join('')
        const rewritten = rewrite(html((url) => url))
        expect(rewritten.html).toBe(html(clickLink))
        expect(rewritten.left).toHaveLength(links.filter(([own]) => !own).length)
      }),
    )
  })

  test('a mail rewritten twice is the same as once', () => {
    const once = rewrite(`<a href="${spring}">x</a><a href="https://other.test/">y</a>`).html
    expect(rewrite(once).html).toBe(once)
  })
})
