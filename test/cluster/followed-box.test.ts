// What an agency does on one machine is on the other, row for row.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventRequest, formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { applyAnew } from '../harness/publishing.ts'
import { Receiver } from '../harness/receiver.ts'
import { visit } from '../harness/visits.ts'
import { APair } from './a-pair.ts'

const receiver = new Receiver()
const site = aSite({
  deliveries: [{ name: 'crm', kind: 'webhook', url: receiver.url() }],
  goals: [{ name: 'Asked', form: 'contact1' }],
  files: { 'pages/launch.html': '<title>Launch</title>' },
})
let box: Box
let owner: ConsoleVisitor
let pair: APair
beforeAll(async () => {
  const config = { console: { listen: '127.0.0.1:0' }, delivery: { allow_private: ['127.0.0.0/8'] } }
  box = await Box.start([site, aSite({ account: 'gone' })], config)
  pair = new APair(join(box.dir, 'data', 'capture.db'))
  owner = await ConsoleVisitor.owner(box)
}, boxStartMsMax)
afterAll(async () => {
  pair[Symbol.dispose]()
  await box.stop()
  await receiver[Symbol.asyncDispose]()
})

const done = async (...argv: string[]): Promise<string> => {
  const { status, stdout, stderr } = await box.run(argv)
  if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
  return stdout
}

/** What differs once the follower has all that has happened. The service counts in the background: what it wrote meanwhile is waited for. */
async function differences() {
  const isSettled = () => pair.rows('leader', 'delivery').every(({ state }) => state !== 'waiting')
  for (;;) {
    await eventually('everything is linked', async () => isSettled() && pair.isLinked())
    await pair.follow()
    const found = pair.differences()
    if (!pair.leader.hasUnlinked()) return found
  }
}

const path = '/api/v1/accounts/acme/submissions'
const sendForm = async (email: string, fields: object = {}) =>
  submissionIdOf(await box.send(formRequest({ fields: { email, ...fields } })))

test(
  'a month of an agency is the same on a follower',
  async () => {
    const keys = await BoxKeys.of(box)
    const first = await sendForm('ada@example.test')
    const second = await sendForm('bob@example.test', { message: 'Hello' })
    await box.send(visit('/launch?utm_source=mail'))
    await box.send(visit('/nowhere'))
    await box.send(eventRequest())
    await box.send(visit(keys.clickPath('https://go.acme.test/launch')))
    await box.send(formRequest({ fields: { email: 'eve@example.test', _hp: 'filled' } }))
    await box.send(formRequest({ headers: { origin: 'https://elsewhere.test' } }))
    await receiver.got(2)
    expect(await differences()).toEqual({})

    await owner.sendJson('POST', `${path}/${first}/notes`, { text: 'Called back' })
    await owner.sendJson('PUT', `${path}/${first}/state`, { state: 'done' })
    await done('submission', 'refuse', 'acme', second)
    await sendForm('bob@example.test', { message: 'Hello' })
    expect(await differences()).toEqual({})

    await done('submission', 'release', 'acme', second)
    await done('key', 'rotate', 'acme')
    await ConsoleVisitor.invite(box, ['bo@acme.example', '--account', 'acme', '--role', 'editor'])
    await applyAnew(box, { ...site, forms: [aForm(), aForm({ id: 'quote' })], files: { 'pages/sale.html': '<p>Sale' } })
    await done('token', 'create', '--name', 'crm', '--account', 'acme', '--scope', 'read', '--expires', '1d')
    await done('account', 'remove', 'gone', '--yes')
    await box.send(visit('/sale'))
    expect(await differences()).toEqual({})
    const some = { delivery: 3, submission_note: 1, submission_state: 1, click_fact: 1, person: 2 }
    const rows = Object.keys(some).map((table) => [table, pair.rows('follower', table).length])
    expect(Object.fromEntries(rows)).toEqual(some)

    await done('person', 'erase', 'acme', 'ada@example.test', '--yes')
    expect(await differences()).toEqual({})
    const sums = await pair.leader.sums()
    expect(Object.keys(sums ?? {})).toContain('submission_fact')
    expect(await pair.follower.sums()).toEqual(sums)
  },
  boxStartMsMax,
)
