// The language in which the script speaks to visitors (docs/script.md, Languages).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { textsOf } from '../../src/language/language.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup } from './harness/pages.ts'
import { World } from './harness/world.ts'

const website = 'https://www.acme.test/contact'

describe.skipIf(!hasChromium)('the script', () => {
  let world: World

  beforeAll(async () => {
    world = await World.start([aSite({ language: 'it', forms: [aForm(), aForm({ id: 'checked1', bot_check: 'on' })] })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  /** What it says when a form is accepted. */
  async function thanks({ html = '', tag = '', form = '' }): Promise<string | null> {
    const script = `<script src="https://go.acme.test/_svc/v1.js" ${tag} defer></script>`
    const body = formMarkup({ attributes: form })
    world.front.put(website, `<!doctype html><html ${html}><title>A page</title>${script}${body}</html>`)
    const page = await (await world.visitor()).open(website)
    await page.getByRole('button', { name: 'Send' }).click()
    const status = page.getByRole('status').filter({ hasText: /./ })
    await status.waitFor()
    return status.textContent()
  }
  const loaded = () => world.front.seen('GET', '/_svc/l/').map(({ path }) => path)

  test.each([
    ['the page’s', { html: 'lang="de-AT"' }, textsOf('de').client.accepted, 'de'],
    [
      'that of data-lang, whatever the page’s',
      { html: 'lang="de"', tag: 'data-lang="pl"' },
      textsOf('pl').client.accepted,
      'pl',
    ],
    [
      'the page’s, where data-lang is empty',
      { html: 'lang=" de"', tag: 'data-lang=""' },
      textsOf('de').client.accepted,
      'de',
    ],
    ['the account’s, where nobody names one', {}, textsOf('it').client.accepted, 'own'],
    ['the account’s, where it does not know the one named', { html: 'lang="sv"' }, textsOf('it').client.accepted, 'sv'],
  ])('speaks %s, and loads no other', async (_, parts, text, language) => {
    expect(await thanks(parts)).toBe(text)
    expect(loaded()).toEqual([`/_svc/l/${language}.js`])
  })

  test('has the bot check speak the language of data-lang, too', async () => {
    const script = '<script src="https://go.acme.test/_svc/v1.js" data-lang="pl" defer></script>'
    const body = formMarkup({ id: 'checked1' })
    world.front.put(website, `<!doctype html><html lang="de"><title>A page</title>${script}${body}</html>`)
    const page = await (await world.visitor()).open(website)
    await page.getByText('Nie jestem robotem').waitFor()
  })

  test('says what the form says instead', async () => {
    expect(await thanks({ html: 'lang="de"', form: 'data-svc-message-accepted="Merci!"' })).toBe('Merci!')
  })

  test('speaks English, and sends, where the texts do not arrive', async () => {
    world.front.disturbance = ({ path }) => (path.startsWith('/_svc/l/') ? new Response('', { status: 502 }) : null)
    expect(await thanks({ html: 'lang="de"' })).toBe(textsOf('en').client.accepted)
  })
})
