// docs/files.md, "On the page", in a real browser.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { aForm, aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { pdf } from '../harness/visitor-files.ts'
import { hasChromium } from './harness/chromium.ts'
import { formMarkup, pageWith } from './harness/pages.ts'
import { World } from './harness/world.ts'

declare const svc: { o?: string[] }

const contact = 'https://www.acme.test/contact'
const cv = { types: ['pdf', 'docx'], max: '100KB' }
const fields = '<label>CV <input type="file" name="cv"></label>'

describe.skipIf(!hasChromium)('a form that takes files', () => {
  let world: World

  beforeAll(async () => {
    const forms = [
      aForm({ files: { cv } }),
      aForm({ id: 'checked1', bot_check: 'on', files: { cv } }),
      aForm({ id: 'without1' }),
    ]
    world = await World.start([aSite({ forms })])
  })
  afterEach(() => world.clear())
  afterAll(() => world.stop())

  const uploads = () => world.front.seen('POST', '/_svc/u/')
  const sentFields = () => world.front.seen('POST', '/_svc/f/').map(({ body }) => JSON.parse(body))

  async function openWith(id = 'contact1', visitor = world.regular()): Promise<Page> {
    world.front.put(contact, pageWith({ body: formMarkup({ id, fields }) }))
    const page = await (await visitor).visit(contact)
    await page.waitForFunction(() => svc?.o)
    return page
  }

  async function send(
    page: Page,
    { name = 'cv.pdf', bytes = pdf(), mimeType = 'application/pdf' } = {},
  ): Promise<void> {
    await page.getByLabel('CV').setInputFiles({ name, mimeType, buffer: Buffer.from(bytes) })
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByRole('button', { name: 'Send' }).click()
  }
  const thanks = (page: Page) => page.getByText('Thank you, it has been sent.').waitFor()

  test.each(['contact1', 'checked1'])('%s sends a chosen file before the form, which names its token', async (id) => {
    const page = await openWith(id)
    await send(page, { name: 'Grüße.pdf' })
    await thanks(page)
    expect(uploads().map(({ status }) => status)).toEqual([200])
    expect(sentFields()).toEqual([expect.objectContaining({ cv: expect.stringMatching(/^svc_up_/) })])
    const [record] = (await world.box.submissions()).slice(-1)
    expect(record?.files).toMatchObject([{ field: 'cv', name: 'Grüße.pdf', type: 'pdf' }])
    expect(await page.locator('progress').count()).toBe(0)
  })

  test('shows the progress of the file', async () => {
    const page = await openWith()
    const { promise, resolve } = Promise.withResolvers<null>()
    world.front.disturbance = ({ path }) => (path.startsWith('/_svc/u/contact1') ? promise : null)
    await send(page)
    await page.getByRole('progressbar', { name: 'cv.pdf' }).waitFor()
    resolve(null)
    await thanks(page)
  })

  test('sends a file again when the connection was lost, and the form once', async () => {
    const page = await openWith()
    let losses = 2
    world.front.disturbance = ({ method, path }) =>
      method === 'POST' && path.startsWith('/_svc/u/') && losses-- > 0 ? new Response(null, { status: 502 }) : null
    await send(page)
    await thanks(page)
    expect(uploads()).toHaveLength(3)
    expect(sentFields()).toHaveLength(1)
  })

  test('does not send a file again when the form itself was refused', async () => {
    const page = await openWith()
    world.front.disturbance = ({ path }) =>
      path.startsWith('/_svc/f/')
        ? Response.json({ error: { code: 'rate_limited', message: '' } }, { status: 429 })
        : null
    await send(page)
    await page.getByRole('alert').waitFor()
    world.front.disturbance = () => null
    await page.getByRole('button', { name: 'Send' }).click()
    await thanks(page)
    expect(uploads()).toHaveLength(1)
  })

  test.each(['contact1', 'checked1'])(
    '%s sends a file again that is used up, as when an answer was lost',
    async (id) => {
      const page = await openWith(id)
      world.front.disturbance = async ({ method, path, body }) => {
        if (method !== 'POST' || !path.startsWith('/_svc/f/')) return null
        submissionIdOf(await world.box.send(formRequest({ path, body })))
        return new Response(null, { status: 502 })
      }
      await send(page)
      await page.getByRole('alert').waitFor()
      world.front.disturbance = () => null
      await page.getByRole('button', { name: 'Send' }).click()
      await thanks(page)
      expect(uploads().map(({ status }) => status)).toEqual([200, 200])
    },
  )

  test('sends the same file again with another submission of the page', async () => {
    const page = await openWith()
    await send(page)
    await thanks(page)
    await send(page)
    // A second click soon after the first one counts as a double click.
    await eventually('it is sent', async () => {
      await page.getByRole('button', { name: 'Send' }).click()
      return uploads().length === 2
    })
    await eventually('both forms are answered', async () => sentFields().length === 2)
    expect(new Set(sentFields().map(({ cv }) => cv)).size).toBe(2)
  })

  test.each([
    ['of another type', { name: 'cv.exe' }, 'Not sent: this field takes only pdf, docx.'],
    ['that is too large', { bytes: pdf('x'.repeat(200_000)) }, 'Not sent: the file is larger than 100 KB.'],
  ])('sends nothing of a file %s, and says why', async (_, file, message) => {
    const page = await openWith()
    await send(page, file)
    expect(await page.getByLabel('CV').evaluate((input: HTMLInputElement) => input.validationMessage)).toBe(message)
    expect([...uploads(), ...sentFields()]).toEqual([])
  })

  test('says so when the bytes are not what the name says', async () => {
    const page = await openWith()
    await send(page, { bytes: new TextEncoder().encode('<html>') })
    await page.getByText('Not sent: this field takes only pdf, docx.').waitFor()
    expect(sentFields()).toEqual([])
  })

  test('loads nothing for files where no form takes any', async () => {
    await (await openWith('without1', world.visitor())).getByLabel('Email').fill('a')
    expect(world.front.seen('GET', '/_svc/u.js')).toEqual([])
  })
})
