// What users of the console typed or did, when something comes between: Back, a refusal, a session's end, no network.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { revisionOf } from '../../src/lib/revision.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { closeContexts, hasChromium, sharedChromium } from './harness/chromium.ts'
import { typeSettings } from './harness/settings-text.ts'

describe.skipIf(!hasChromium)('the console', () => {
  let browser: Browser
  let box: Box

  beforeAll(async () => {
    const launch = { 'pages/launch.html': '<!doctype html><title>Launch</title><p>Soon' }
    box = await Box.start([aSite({ forms: [aForm()], files: launch })], { console: { listen: '127.0.0.1:0' } })
    browser = await sharedChromium()
  })
  afterAll(async () => {
    await closeContexts()
    await box?.stop()
  })

  const consoleUrl = () => `http://localhost:${box.consolePort}`

  async function openedBy(owner: ConsoleVisitor, path: string): Promise<Page> {
    const context = await browser.newContext()
    const [name = '', value = ''] = owner.cookie.split('=')
    await context.addCookies([{ name, value, url: consoleUrl() }])
    const page = await context.newPage()
    await page.goto(consoleUrl() + path)
    return page
  }

  const opened = async (path: string): Promise<Page> => openedBy(await ConsoleVisitor.owner(box), path)

  test('answers a form by GET: Back and Forward show pages, and Reload sends nothing again', async () => {
    const page = await opened('/a/acme/links')
    await page.goto(`${consoleUrl()}/a/acme/links`)
    await page.getByLabel('An address').fill('https://go.acme.test/launch')
    await page.getByRole('button', { name: 'Make click links' }).click()
    await page.getByText('Your click link is ready').waitFor()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.method()))
    await page.reload()
    expect(await page.getByText('Your click link is ready').count()).toBe(0)
    await page.goBack()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Links')
    await page.goForward()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Links')
    expect(new Set(sent)).toEqual(new Set(['GET']))
  })

  test('shows a refused form again, with the reason and all that was typed', async () => {
    const page = await opened('/tokens')
    await page.getByLabel('Name').fill('nightly import')
    await page.getByLabel('Account', { exact: true }).selectOption('*')
    await page.getByLabel('Valid for').fill('7')
    await page.getByRole('button', { name: 'Make token' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Tokens')
    expect(await page.getByLabel('Name').inputValue()).toBe('nightly import')
    expect(await page.getByLabel('Valid for').inputValue()).toBe('7')
    await page.getByRole('checkbox', { name: 'read' }).check()
    await page.getByRole('button', { name: 'Make token' }).click()
    await page.getByText('This is nightly import.').waitFor()
  })

  test('gives back what was typed in a session that had ended', async () => {
    const owner = await ConsoleVisitor.owner(box)
    const page = await openedBy(owner, '/a/acme/links')
    await page.getByLabel('An address').fill('https://go.acme.test/launch')
    await page.locator('#message').fill('spring news')
    const email = await emailOf(owner)
    await owner.send('POST', '/sign-out', {})
    await page.getByRole('button', { name: 'Make click links' }).click()
    await signInAgain(page, email, owner)
    await page.waitForURL('**/a/acme/links')
    await page.getByText('What you typed is here again').waitFor()
    expect(await page.getByLabel('An address').inputValue()).toBe('https://go.acme.test/launch')
    expect(await page.locator('#message').inputValue()).toBe('spring news')
    await page.reload()
    expect(await page.getByLabel('An address').inputValue()).toBe('')
  })

  test('gives back an invitation that was typed in a session that had ended', async () => {
    const owner = await ConsoleVisitor.owner(box)
    const page = await openedBy(owner, '/users?new=1')
    await page.getByLabel('Email address').fill('eve@acme.example')
    await page.getByRole('radio', { name: 'viewer' }).check()
    await page.getByLabel('Account', { exact: true }).selectOption('acme')
    const email = await emailOf(owner)
    await owner.send('POST', '/sign-out', {})
    await page.getByRole('button', { name: 'Make invitation link' }).click()
    await signInAgain(page, email, owner)
    await page.waitForURL('**/users?new=1')
    await page.getByText('What you typed is here again').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe('eve@acme.example')
    await page.getByRole('button', { name: 'Make invitation link' }).click()
    await page.getByText('Send them this link').waitFor()
    await page.reload()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Users of the box')
  })

  test('gives back edited settings as a change of the text that they were made from', async () => {
    const owner = await ConsoleVisitor.owner(box)
    const page = await openedBy(owner, '/a/acme/settings')
    const text = await page.locator('#text').inputValue()
    await typeSettings(page, text.replace('The acme studio', 'The new studio'))
    const email = await emailOf(owner)
    await owner.send('POST', '/sign-out', {})
    const colleague = await ConsoleVisitor.owner(box)
    const theirs = `${text}\n[retention]\nevents = "90d"\n`
    const edit = { text: theirs, tag: revisionOf(text), planned: revisionOf(theirs) }
    expect((await colleague.send('POST', '/a/acme/settings', edit)).text).toContain('Saved and published.')
    await page.getByRole('button', { name: 'Show what would change' }).click()
    await signInAgain(page, email, owner)
    await page.getByText('What you typed is here again').waitFor()
    await page.getByRole('button', { name: 'Show what would change' }).click()
    await page.getByText('Somebody else has changed site.toml').waitFor()
    const merged = await page.locator('#text').inputValue()
    expect([merged.includes('The new studio'), merged.includes('events = "90d"')]).toEqual([true, true])
  })

  test('sends nothing while the browser is offline, and says so', async () => {
    const page = await opened('/a/acme/links')
    await page.getByLabel('An address').fill('https://go.acme.test/launch')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Make click links' }).click()
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Make click links' }).click()
    await page.getByText('Your click link is ready').waitFor()
  })

  test('asks before edited settings are left, and not once they are sent', async () => {
    const page = await opened('/a/acme/settings')
    const text = await page.locator('#text').inputValue()
    await typeSettings(page, text.replace('The acme studio', 'The new studio'))
    const asked = page.waitForEvent('dialog')
    void page.getByRole('link', { name: 'Capture', exact: true }).click({ noWaitAfter: true })
    const dialog = await asked
    await dialog.dismiss()
    expect([dialog.type(), new URL(page.url()).pathname]).toEqual(['beforeunload', '/a/acme/settings'])
    const askedAgain: string[] = []
    page.on('dialog', (dialog) => askedAgain.push(dialog.type()))
    await page.getByRole('button', { name: 'Show what would change' }).click()
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.getByText('Saved and published.').waitFor()
    expect(askedAgain).toEqual([])
  })
})

async function emailOf(owner: ConsoleVisitor): Promise<string> {
  const { text } = await owner.get('/')
  return /<span>([^<]+@[^<]+)<\/span>/.exec(text)?.[1] ?? ''
}

async function signInAgain(page: Page, email: string, owner: ConsoleVisitor): Promise<void> {
  await page.waitForURL('**/sign-in?**')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('correct horse battery staple')
  await page.getByLabel('Code').fill(owner.code(1))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
