// Owners who never open a terminal: where a page does what a command does, the console's advice names the page.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { Receiver } from '../harness/receiver.ts'

/** Commands whose work a page does, as advice names them. */
const commands =
  /capture (?:account show|apply|backup now|delivery|doctor\b(?! --deep)|domain|key|person erase|submission)\b/

let box: Box
let owner: ConsoleVisitor
let receiver: Receiver
let dir: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'capture-target-'))
  await Bun.write(join(dir, 'file-in-the-way'), 'no folder')
  receiver = new Receiver({ answer: () => new Response('no', { status: 400 }) })
  const deliveries = ['paused', 'failing'].map((name) => ({ name, kind: 'webhook', url: receiver.url(`/${name}`) }))
  const site = aSite({ deliveries, files: { 'pages/launch.html': '<!doctype html><title>x</title>' } })
  box = await Box.start([site], {
    console: { listen: '127.0.0.1:0' },
    delivery: { allow_private: ['127.0.0.0/8'] },
    backup: { to: [`file://${dir}/file-in-the-way`], increment_every: '0' },
  })
  owner = await ConsoleVisitor.owner(box)
  await owner.send('POST', '/a/acme/deliveries', { act: 'pause', destination: 'paused' })
  rmSync(join(box.dir, 'data', 'assets'), { recursive: true })
  await box.send(formRequest())
  await box.send(formRequest({ form: 'nowhere' }))
  await box.send(eventRequest({ headers: { 'x-svc-site-key': null } }))
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  await receiver[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

const api = async (path: string) => JSON.parse((await owner.get(`/api/v1${path}`)).text)

/** The page once it shows what it is asked about. */
async function pageWith(path: string, expected: readonly string[]): Promise<string> {
  let text = ''
  await eventually(`${path} shows it`, async () => {
    text = (await owner.get(path)).text
    return expected.every((part) => text.includes(part))
  })
  return text
}

describe('the advice of a page', () => {
  test('about the health of the box names pages, while the API has the same with commands', async () => {
    await eventually('the box is found unwell', async () => {
      const { checks }: { checks: { advice: string | null }[] } = await api('/doctor')
      const advised = checks.map(({ advice }) => advice ?? '').join()
      return [
        'capture delivery resume acme paused',
        'capture delivery test acme failing',
        'capture backup now',
        'capture apply DIR',
      ].every((command) => advised.includes(command))
    })
    const text = await pageWith('/box', [
      'resume “paused” under <a href="/a/acme/deliveries">',
      'shows why, and what to do at “failing”',
      'under <a href="#backups">Backups</a> tries at once',
      'Publish the site folders that have it again',
    ])
    expect(commands.exec(text)).toBeNull()
    expect((await owner.get('/a/acme/deliveries')).text).toContain('>Send a test<span class="unseen"> failing</span>')
    expect(text).toContain('<h2 id="backups">')
  })

  test('about a failing target does not promise a base at once', async () => {
    const text = await pageWith('/box', ['The target cannot be read or written', 'Until the first base is there'])
    expect(text).not.toContain('makes the first base at once')
  })

  test('about refusals names the pages of the key and of the forms', async () => {
    const text = await pageWith('/a/acme/refusals', [
      'href="/a/acme/settings#tracking-key">Settings',
      'compare its <code>data-svc',
    ])
    expect(commands.exec(text)).toBeNull()
  })

  test('about a delivery sends nobody to a command for what the page shows itself', async () => {
    const text = await pageWith('/a/acme/deliveries', ['answered 400'])
    const { items } = await api('/accounts/acme/deliveries')
    const failed = items.find(({ lastStatus }: { lastStatus: number | null }) => lastStatus === 400)
    expect(failed.lastError).toContain('`capture delivery show`')
    const delivery = await owner.get(`/a/acme/deliveries/${failed.id}`)
    expect(delivery.text).toContain('The receiver answered 400: see its answer in the exchange.')
    const lead = await owner.get(`/a/acme/s/${failed.submissionId}`)
    expect(lead.text).toMatch(/<p>Not delivered to failing: trying again.*?\. <a href="#deliveries">See deliveries</)
    expect([text, delivery.text, lead.text].map((page) => commands.exec(page))).toEqual([null, null, null])
  })

  test.each(['/', '/a/acme/domains', '/a/acme/settings'])('on %s names no command', async (path) => {
    const { status, text } = await owner.get(path)
    expect([status, commands.exec(text)]).toEqual([200, null])
  })
})
