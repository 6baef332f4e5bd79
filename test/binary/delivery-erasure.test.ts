import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { formRequest } from '../harness/capture-requests.ts'
import { filesHolding } from '../harness/files-holding.ts'
import { cookieOf } from '../harness/identity.ts'
import { Receiver } from '../harness/receiver.ts'
import { visit } from '../harness/visits.ts'
import type { BinaryBox } from './harness/binary-box.ts'
import { applyDeliveries, aWebhook, deliveriesBecome, deliveriesOf, deliveryBox } from './harness/delivery-box.ts'

// Erasing a person takes their deliveries along, and says who was told (docs/deliveries.md).

const ada = 'ada.lovelace@customer.example'
const ben = 'ben@customer.example'

const isDelivered = ({ state }: { state: string }): boolean => state === 'delivered'

/** As if the whole schedule had gone by. */
function giveUp(box: BinaryBox, destination: string): void {
  using database = new Database(box.databaseFile, { strict: true })
  database
    .query(
      `UPDATE delivery SET state = 'failed', settled_at = tried_at
       WHERE destination_row = (SELECT row FROM destination WHERE name = ?)`,
    )
    .run(destination)
}

test('an erasure takes deliveries that wait, have failed and are done, with their exchanges, and names who was told', async () => {
  await using receiver = new Receiver()
  await using failing = new Receiver({ answer: ({ body }) => new Response(`no: ${body}`, { status: 500 }) })
  await using box = await deliveryBox()
  await applyDeliveries(box, [
    aWebhook(receiver.url(), { name: 'done' }),
    aWebhook(failing.url(), { name: 'failed' }),
    aWebhook(failing.url(), { name: 'retried' }),
    aWebhook(receiver.url(), { name: 'untold' }),
  ])
  await box.done(['delivery', 'pause', 'acme', 'untold'])
  await using server = await box.serve()
  await server.send(formRequest({ fields: { email: ada, message: `It is me, ${ada}` } }))
  await server.send(formRequest({ fields: { email: ben, message: 'It is me' } }))
  const isTried = ({ destination, attempts }: { destination: string; attempts: number }) =>
    destination === 'untold' || attempts > 0
  await deliveriesBecome(box, 'all are tried', (rows) => rows.length === 8 && rows.every(isTried))
  giveUp(box, 'failed')
  expect(filesHolding(box.dataDir, ada)).not.toEqual([])

  const { destinations, verified } = JSON.parse(await box.done(['person', 'erase', 'acme', ada, '--yes', '--json']))
  expect({ destinations, verified }).toEqual({ destinations: ['done', 'failed', 'retried'], verified: true })
  expect(filesHolding(box.dataDir, ada)).toEqual([])
  const left = await deliveriesOf(box)
  expect(left.map(({ destination }) => destination).sort()).toEqual(['done', 'failed', 'retried', 'untold'])
  expect(JSON.stringify(left)).not.toContain(ada)
  for (const { id } of left) expect(await box.done(['delivery', 'show', 'acme', id])).not.toContain(ada)

  await box.done(['delivery', 'resume', 'acme', 'untold'])
  await receiver.got(3)
  expect(receiver.received.filter(({ body }) => body.includes(ada))).toHaveLength(1)
})

test('an erasure sends nothing again of others on the same device, though what was sent to them is forgotten', async () => {
  await using receiver = new Receiver()
  await using box = await deliveryBox()
  await applyDeliveries(box, [aWebhook(receiver.url())], { files: { 'pages/launch.html': 'Hello' } })
  await using server = await box.serve()
  const cookie = cookieOf(await server.send(visit('/launch')))
  await server.send(formRequest({ headers: { cookie }, fields: { email: ada } }))
  await server.send(formRequest({ headers: { cookie }, fields: { email: ben } }))
  await deliveriesBecome(box, 'both are sent', (rows) => rows.filter(isDelivered).length === 2)
  {
    using database = new Database(box.databaseFile, { strict: true })
    for (const statement of ['PRAGMA secure_delete = 1', 'PRAGMA foreign_keys = 1', 'DELETE FROM delivery'])
      database.run(statement)
  }
  await box.done(['person', 'erase', 'acme', ada, '--yes'])
  await server.send(formRequest({ fields: { email: 'cleo@customer.example' } }))
  await deliveriesBecome(box, 'a later one is sent', (rows) => rows.some(isDelivered))
  expect(receiver.received).toHaveLength(3)
})

test('removing an account takes its destinations and deliveries, and nothing more is sent', async () => {
  await using receiver = new Receiver({ answer: () => new Response(null, { status: 500 }) })
  await using box = await deliveryBox()
  await applyDeliveries(box, [aWebhook(receiver.url())])
  await using server = await box.serve()
  await server.send(formRequest({ fields: { email: ada } }))
  await deliveriesBecome(box, 'it is tried', ([row]) => row?.attempts === 1)
  await box.done(['account', 'remove', 'acme', '--yes'])
  using database = new Database(box.databaseFile, { readonly: true, strict: true })
  for (const table of ['destination', 'delivery', 'delivery_attempt', 'delivery_pace'])
    expect(database.query(`SELECT count(*) AS rows FROM ${table}`).get()).toEqual({ rows: 0 })
})
