// An agency's customer on a phone, in German: from the invitation to a lead and out again (docs/your-leads/de.md).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { base32Bytes, totpCode } from '../../src/console/sign-in/totp.ts'
import { textsOf } from '../../src/language/language.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor, password } from '../harness/console-visitor.ts'
import { ownPort } from '../harness/loopback.ts'
import { pdf, tokenOf, uploadRequest } from '../harness/visitor-files.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'
import { isTooWide, keepLook } from './harness/looks.ts'
import { colourViolations, violations } from './harness/violations.ts'

const schema = {
  type: 'object',
  properties: {
    interest: { type: 'string', title: 'Wonach suchen Sie?', enum: ['Küche', 'Bad'] },
    preferred_day: { type: 'string', title: 'Wunschtag' },
    name: { type: 'string', title: 'Ihr Name' },
    telefon: { type: 'string', title: 'Telefon' },
    email: { type: 'string', title: 'E-Mail' },
    message: { type: 'string', title: 'Nachricht' },
    newsletter: { type: 'string', title: 'Rundbrief' },
    cv: { type: 'string', title: 'Grundriss' },
  },
}
const answers = {
  ...{ interest: 'Küche', preferred_day: 'Dienstag', name: 'Zoë Lindner', telefon: '+49 (0)30 1234567' },
  ...{ email: 'zoe@example.test', newsletter: 'on' },
  message: 'Wir ziehen im Frühjahr um und brauchen bis dahin eine Küche mit Insel.',
}

/** What stands on a page and is read out, piece by piece. */
const piecesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = [document.title.split(' · ')[0] ?? '']
    while (walker.nextNode()) found.push(walker.currentNode.textContent ?? '')
    for (const element of document.querySelectorAll('*'))
      for (const { name, value } of element.attributes)
        if (/^(?:aria-label|alt|title|placeholder|data-(?!live|after|file|copy|save|passkey$))/.test(name))
          found.push(value)
    return found.map((text) => text.trim()).filter((text) => text !== '')
  })

const textsBelow = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsBelow)
const german = new Set(textsBelow(textsOf('de')))
const english = new Set(textsBelow(textsOf('en')).filter((text) => !german.has(text)))
/** Words that no German sentence has. */
const englishWords = /\b(?:the|and|your|you|this|with|from|not|is|are|or|to|of|for|by|sign|leads?|files?|back)\b/

/** English that is left on a page: one of our texts, or a sentence that is none of them. */
async function englishOn(page: Page): Promise<string[]> {
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  return (await piecesOf(page)).filter((text) => english.has(text) || englishWords.test(text))
}

describe.skipIf(!hasChromium)('a customer on a phone', () => {
  let browser: Browser
  let box: Box
  /** axe-core is put into its pages, where the page's policy runs no script. */
  let page: Page
  let link: URL
  let key: string

  beforeAll(async () => {
    const forms = [
      aForm({ name: 'Terminanfrage', schema, files: { cv: { types: ['pdf'], max: '1MB' } } }),
      aForm({ id: 'contact2', name: 'Kontakt' }),
    ]
    const site = aSite({ name: 'Küchen Lindner', language: 'de', brand: { colour: '#0a7d5a' }, forms })
    box = await Box.start([site], { server: { listen: `127.0.0.1:${ownPort()}` }, console: { listen: '127.0.0.1:0' } })
    const cv = tokenOf(await box.send(uploadRequest(pdf(), { name: 'grundriss.pdf' })))
    await box.send(formRequest({ path: '/_svc/f/contact2', fields: { message: 'Haben Sie samstags geöffnet?' } }))
    await box.send(formRequest({ fields: { ...answers, cv } }))
    const invited = ['kundin@lindner.example', '--account', 'acme', '--role', 'client']
    link = new URL(await ConsoleVisitor.invite(box, invited))
    browser = await sharedChromium()
    const context = await browser.newContext({
      ...{ locale: 'de-DE', bypassCSP: true, acceptDownloads: true },
    })
    page = await context.newPage()
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
  })

  const address = () => `http://localhost:${box.consolePort}`
  /** By day and by night, at a desk and on the phone, which the page is on from then on: answers to forms cannot be opened anew. */
  const faultsOf = async (name: string): Promise<string[]> => {
    const found: string[] = []
    for (const [device, width] of [['desk', 1280] as const, ['phone', 390] as const]) {
      await page.setViewportSize({ width, height: 844 })
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await keepLook(page, `customer-${name}-${device}-${colorScheme}`)
        found.push(...(await (colorScheme === 'light' ? violations : colourViolations)(page)))
      }
      if (await isTooWide(page)) found.push(`${device}: one has to scroll sideways`)
    }
    return found
  }
  const open = (path: string) => page.goto(address() + path)
  const inMenu = async (name: string) => {
    await page.getByRole('button', { name: 'Menü' }).click()
    await page.locator('#menu').getByRole('link', { name, exact: true }).click()
  }

  test('meets the sign-in in the language of the browser', async () => {
    await open('/sign-in')
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('sign-in')).toEqual([])
    await page.fill('#email', 'kundin@lindner.example')
    await page.fill('#password', 'falsch geraten')
    await page.fill('#code', '000000')
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
    expect(await page.getByRole('alert').textContent()).toContain('falsch')
    expect(await englishOn(page)).toEqual([])
  })

  test('accepts the invitation with a password, which says what is wrong with the first', async () => {
    await open(link.pathname)
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('invitation')).toEqual([])
    const accept = async (chosen: string) => {
      key = await page.locator('[name=totp]').inputValue()
      await page.fill('#password', chosen)
      await page.fill('#again', chosen)
      await page.fill('#code', totpCode(base32Bytes(key) ?? new Uint8Array(), Math.floor(Date.now() / 30_000)))
      await page.getByRole('button', { name: 'Passwort festlegen und anmelden' }).click()
    }
    await accept('passwort123456')
    expect(await page.getByRole('alert').textContent()).toContain('Vier zufällige Wörter')
    expect(await englishOn(page)).toEqual([])
    await accept(password)
    await page.getByRole('heading', { name: 'Bewahren Sie diese Codes auf' }).waitFor()
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('codes')).toEqual([])
    await page.getByRole('link', { name: 'Ich habe sie gespeichert' }).click()
  })

  test('begins with the report', async () => {
    await page.waitForURL('**/a/acme/report')
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('report')).toEqual([])
  })

  test('finds leads by what was asked for, hidden or shown', async () => {
    await inMenu('Anfragen')
    expect(await page.locator('.inbox .who').first().textContent()).toBe('Wonach suchen Sie? Küche')
    expect(await page.locator('.inbox .gist').first().textContent()).toBe('Wunschtag: Dienstag')
    expect(await page.locator('.inbox .form').first().textContent()).toBe('Terminanfrage')
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('leads-masked')).toEqual([])
    await page.locator('.inbox a').first().click()
    expect(await page.textContent('main')).toContain('1 Datei.')
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('lead-masked')).toEqual([])
    await box.run(['account', 'show-personal', 'acme', 'on'])
    await inMenu('Anfragen')
    expect(await page.locator('.inbox .who').first().textContent()).toBe('Zoë Lindner')
    expect(await faultsOf('leads')).toEqual([])
  })

  test('reads whether the list of leads is live', async () => {
    await page.locator('#live', { hasText: /^Live$/ }).waitFor()
    await page.context().setOffline(true)
    await page.locator('#live', { hasText: 'Nicht live: keine Verbindung.' }).waitFor()
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('leads-offline')).toEqual([])
    await page.context().setOffline(false)
    await page.locator('#live', { hasText: /^Live$/ }).waitFor()
  })

  test('calls, writes, and downloads a file from the lead’s page', async () => {
    await page.getByRole('link', { name: 'Zoë Lindner' }).click()
    expect(await page.getByRole('link', { name: 'Anrufen' }).getAttribute('href')).toBe('tel:+49301234567')
    expect(await page.getByRole('link', { name: 'E-Mail schreiben' }).getAttribute('href')).toBe(
      'mailto:zoe@example.test',
    )
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'grundriss.pdf' }).click()
    expect((await downloading).suggestedFilename()).toBe('grundriss.pdf')
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('lead')).toEqual([])
  })

  test('reads the help, and their own sign-in', async () => {
    await inMenu('Hilfe')
    expect(await page.locator('h1').textContent()).toBe('Hilfe')
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('help')).toEqual([])
    await inMenu('Ihr Zugang')
    expect(await englishOn(page)).toEqual([])
    expect(await faultsOf('me')).toEqual([])
  })

  test('is told in German what is not there, and not for them', async () => {
    for (const path of ['/nirgends', '/a/acme/settings', '/a/acme/s/gone', '/_/gone', link.pathname]) {
      await open(path)
      expect(await englishOn(page)).toEqual([])
    }
    expect(await faultsOf('gone')).toEqual([])
  })

  test('signs out, and the link of a mail leads to the sign-in', async () => {
    await open('/a/acme')
    await page.getByRole('button', { name: 'Menü' }).click()
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await page.waitForURL('**/sign-in')
    await open('/a/acme')
    expect(await page.locator('h1').textContent()).toBe('Anmelden')
  })
})
