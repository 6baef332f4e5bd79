// docs/confirmed-leads.md, "What the visitor does": the link of a real mail, in a browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import PostalMime from 'postal-mime'
import { aForm, aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { TestMailServer } from '../harness/mail-server.ts'
import { humanToken, startVerificationServer, type VerificationServer } from '../harness/verification-server.ts'
import { hasChromium } from './harness/chromium.ts'
import { faultsInAllLooks } from './harness/looks.ts'
import { World } from './harness/world.ts'

const confirm = { subject: 'Bitte bestätigen', text: 'Danke für Ihr Interesse.' }

describe.skipIf(!hasChromium)('the page behind the link of a confirmation', () => {
  let verification: VerificationServer
  let server: TestMailServer
  let world: World

  beforeAll(async () => {
    verification = startVerificationServer()
    server = await TestMailServer.start()
    const site = aSite({
      language: 'de',
      brand: { colour: '#b3261e' },
      bot_check: { provider: 'turnstile', sitekey: 'k', secret: 's', verify_url: verification.url },
      forms: [aForm({ bot_check: 'on', confirm })],
    })
    const mail = { host: '127.0.0.1', port: server.port, security: 'none', from: 'Agency <leads@agency.example>' }
    world = await World.start([site], { mail })
  })
  afterAll(async () => {
    await world.stop()
    await server[Symbol.asyncDispose]()
    verification[Symbol.dispose]()
  })

  /** The address in the mail, over the front that the browser reaches. */
  async function linkFor(email: string): Promise<string> {
    submissionIdOf(await world.box.send(formRequest({ fields: { email, 'botcheck-response': humanToken } })))
    const [mail] = await server.mails(1)
    const { text = '' } = await PostalMime.parse(Buffer.from(mail?.raw ?? '', 'latin1'))
    return `https://go.acme.test${/\/_svc\/confirm\/\S+/.exec(text)?.[0] ?? ''}`
  }

  test('confirms when its button is pressed, and is without a fault in every look', async () => {
    const link = await linkFor('ada@visitor.example')
    const faults = await faultsInAllLooks('confirmation', async (options) => (await world.visitor(options)).open(link))
    expect(faults).toEqual([])
    const page = await (await world.visitor()).open(link)
    await page.getByRole('button', { name: 'Bestätigen' }).click()
    await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor()
  })
})
