// docs/site-folder.md, "Small pages": what a person sees where nothing is.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventually } from '../harness/eventually.ts'
import { headersOf, visit } from '../harness/visits.ts'

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  const files = { 'pages/launch.html': 'Launch', 'pages/draft.html': 'Draft' }
  const look = { contact: 'hello@acme.test', brand: { colour: '#c00', background: '#fffdf5' } }
  const acme = aSite({ name: 'Acme <& Sons>', home: 'launch', files, previews: ['pages/draft.html'], ...look })
  const german = aSite({ account: 'hamburg', language: 'de', home: 'launch', files, previews: ['pages/draft.html'] })
  box = await Box.start([acme, aSite({ account: 'plain', files }), german])
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

const speaking = (language: string) => ({ headers: { 'accept-language': language } })
const posted = (language: string, account = 'acme') =>
  box.send(visit('/launch', { account, method: 'POST', body: 'email=ada%40example.test', ...speaking(language) }))

describe('a page that is not there', () => {
  test('bears the account’s name and its colours, and leads to its home page and its contact', async () => {
    const { status, text } = await box.send(visit('/nowhere'))
    expect(status).toBe(404)
    expect(text).toContain('<p class="name">Acme &lt;&amp; Sons&gt;</p>')
    expect(text).toContain('background:#fffdf5')
    expect(text).toContain('a{color:#cc0000}')
    expect(text).toContain('href="/">Home page</a>')
    expect(text).toContain('href="mailto:hello@acme.test">Contact: hello@acme.test</a>')
  })

  test('of an account that names neither has no way on', async () => {
    const { text } = await box.send(visit('/nowhere', { account: 'plain' }))
    expect(text).toContain('The plain studio')
    expect(text).not.toContain('<a ')
  })

  test('repeats nothing of the request', async () => {
    const headers = { 'accept-language': 'zz-QUIRK', referer: 'http://quirk.test/', 'user-agent': 'quirk' }
    const { text } = await box.send(visit('/quirk?quirk=quirk', { headers }))
    expect(text.toLowerCase()).not.toContain('quirk')
  })

  test('of a host that is not connected is bare', async () => {
    const { status, text } = await box.send(visit('/launch', { host: 'other.test' }))
    expect([status, text]).toEqual([404, ''])
  })

  test('runs nothing, loads nothing, and allows no style but its own', async () => {
    const { headers, text } = await box.send(visit('/nowhere'))
    const css = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? ''
    const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64')
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    )
    expect(text).not.toMatch(/<script|style="|src=|url\(/)
  })
})

describe('a small page of an account with a language', () => {
  test('is in that language, whatever the browser prefers', async () => {
    const answer = await box.send(visit('/nowhere', { account: 'hamburg', ...speaking('fr') }))
    expect(headersOf(answer, 'content-language')).toEqual({ 'content-language': 'de' })
    expect(answer.text).toContain('<html lang="de">')
    expect(answer.text).toContain('<h1>Hier ist nichts</h1>')
    expect(answer.text).toContain('href="/">Startseite</a>')
  })

  test('says so of a broken link from a mail, too', async () => {
    const { status, text } = await box.send(visit('/_svc/c/broken', { account: 'hamburg' }))
    expect([status, /<h1>(.*)<\/h1>/.exec(text)?.[1]]).toEqual([404, 'Dieser Link funktioniert nicht'])
  })
})

describe('a form that is posted to its page', () => {
  test.each([
    ['en-GB,en;q=0.9', 'en', 'Nothing was sent'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Es wurde nichts gesendet'],
    ['fr', 'fr', 'Rien n’a été envoyé'],
    ['es-MX', 'es', 'No se ha enviado nada'],
    ['it', 'it', 'Non è stato inviato nulla'],
    ['nl-BE', 'nl', 'Er is niets verzonden'],
    ['pt-BR', 'pt', 'Nada foi enviado'],
    ['pl', 'pl', 'Nic nie zostało wysłane'],
    ['ja, de;q=0.4, fr;q=0.7', 'fr', 'Rien n’a été envoyé'],
    ['de;q=0', 'en', 'Nothing was sent'],
    ['deutsch', 'en', 'Nothing was sent'],
    ['', 'en', 'Nothing was sent'],
  ])('is answered 405 in the language of Accept-Language: %s', async (header, language, title) => {
    const answer = await posted(header)
    expect([answer.status, headersOf(answer, 'allow', 'content-language')]).toEqual([
      405,
      { allow: 'GET, HEAD', 'content-language': language },
    ])
    expect(answer.text).toContain(`<html lang="${language}">`)
    expect(answer.text).toContain(`<h1>${title}</h1>`)
    expect(answer.text).toContain('JavaScript')
    expect(answer.text).toContain('mailto:hello@acme.test')
    expect(answer.text).not.toContain('example.test')
  })

  test('offers no contact where the account names none', async () => {
    expect((await posted('en', 'plain')).text).not.toContain('get in touch')
  })

  test('keeps nothing, and is counted', async () => {
    await posted('en', 'plain')
    await eventually('it is counted', async () => {
      const { stdout } = await box.run(['refusals', 'plain', '--json'])
      const { refusals } = JSON.parse(stdout) as { refusals: { endpoint: string; check: string }[] }
      return refusals.some(({ endpoint, check }) => endpoint === 'page' && check === 'no_script')
    })
    expect(await box.submissions('plain')).toEqual([])
    expect(await box.submissions()).toEqual([])
  })
})

describe('a preview', () => {
  const anHourAgo = () => Math.floor(Date.now() / 1000) - 3600

  test('that has expired bears the account’s name, and leads to its own domain', async () => {
    const path = keys.previewPath(`/_preview/${keys.assetId('pages/draft.html')}`, { expiresInSeconds: -3600 })
    const { status, text } = await box.send(visit(path, { host: `preview.localhost:${box.port}` }))
    expect(status).toBe(403)
    expect(text).toContain('Acme &lt;&amp; Sons&gt;')
    expect(text).toContain(`href="http://go.acme.test:${box.port}/">Home page</a>`)
  })

  test('of an account with a language says it in that language', async () => {
    const id = keys.assetId('pages/draft.html', 'hamburg')
    const path = keys.previewPath(`/_preview/${id}`, { account: 'hamburg', expiresInSeconds: -3600 })
    const { text } = await box.send(visit(path, { host: `preview.localhost:${box.port}` }))
    expect(text).toContain('<h1>Diese Vorschau ist abgelaufen</h1>')
    expect(text).toMatch(/galt bis \d+\. \p{L}+ \d{4}, \d\d:\d\d UTC/u)
  })

  test('whose signature is wrong says nothing of the account', async () => {
    const path = `/_preview/${keys.assetId('pages/draft.html')}?exp=${anHourAgo()}&sig=wrong`
    const { status, text } = await box.send(visit(path, { host: 'preview.localhost' }))
    expect(status).toBe(403)
    expect(text).not.toContain('Acme')
    expect(text).not.toContain('mailto:')
  })
})
