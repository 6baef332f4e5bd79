import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'
import { Receiver } from '../harness/receiver.ts'

let box: Box
let receiver: Receiver
beforeAll(async () => {
  receiver = new Receiver()
  const deliveries = ['address', 'secret', 'sound'].map((name) => ({
    name,
    kind: 'webhook',
    url: receiver.url(`/${name}`),
  }))
  const chat = { name: 'chat', kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/known-to-us' }
  box = await Box.start([aSite({ deliveries: [...deliveries, chat] })], {
    console: { listen: '127.0.0.1:0' },
    delivery: { allow_private: ['127.0.0.0/8'] },
  })
  const database = new Database(join(box.dir, 'data/capture.db'))
  database.run('PRAGMA busy_timeout = 60000')
  database.run(
    `UPDATE destination SET definition = json_set(definition, '$.url', 'sealed:damaged') WHERE name IN ('address', 'chat')`,
  )
  database.run(`UPDATE destination SET secret = 'sealed:damaged' WHERE name = 'secret'`)
  database.close()
  await box.send(formRequest({ fields: { email: 'ada@example.test' } }))
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  await receiver[Symbol.asyncDispose]()
})

test.each([
  ['address', 'Apply the site folder again'],
  ['secret', 'Make a new one'],
  ['chat', 'Apply the site folder again'],
])('a delivery to %s, which is damaged, fails with what helps, and so does a test of it', async (name, advice) => {
  await eventually('it has failed', async () => {
    const { stdout } = await box.run(['delivery', 'list', 'acme', '--json'])
    const rows = JSON.parse(stdout) as { destination: string; attempts: number; lastError: string | null }[]
    return rows.some((row) => row.destination === name && row.attempts > 0 && row.lastError?.includes(advice))
  })
  const { status, stdout, stderr } = await box.run(['delivery', 'test', 'acme', name])
  expect([status, stdout + stderr]).toEqual([1, expect.stringContaining(advice)])
})

test('other destinations of the account are delivered to', async () => {
  expect((await receiver.got(1)).map(({ path }) => path)).toEqual(['/sound'])
})

test('the console keeps no damaged address of a chat, and asks for it', async () => {
  const owner = await ConsoleVisitor.owner(box)
  const { status, text } = await owner.send('POST', '/a/acme/settings', { change: 'domain', value: 'shop.acme.test' })
  expect(status).toBe(422)
  expect(text).toContain('the box keeps no secret here: write it')
})
