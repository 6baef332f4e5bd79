import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { eventually } from '../harness/eventually.ts'
import { startPebble } from '../harness/pebble.ts'
import { autoBox, isActive, keptOrders, pointHere, untilName, visit } from './harness/auto-box.ts'

// An account whose names have certificates moves to another box (docs/moving.md, "One account").

const host = 'go.acme-launch.dev'

test('a moved account is served over https, and its certificate is not ordered again', async () => {
  await using pebble = await startPebble({ httpPort: 80 })
  const root = await pebble.issuingRoot()
  await pointHere(pebble, [host])
  await using from = await autoBox(pebble)
  await from.apply(aSite({ domains: [host], files: { 'pages/launch.html': 'Hello' } }))
  const old = await from.serve()
  const { certificate } = await untilName(from, host, isActive)
  const file = join(from.dir, 'acme.capture')
  await from.done(['account', 'move', 'acme', '--to', file])
  await old.stop()

  await using to = await autoBox(pebble)
  await to.apply(aSite({ account: 'umbra', domains: ['go.umbra.test'] }))
  await using _server = await to.serve()
  await to.done(['account', 'move', 'acme', '--from', file])
  await eventually('https answers', async () => (await visit(pebble, { host, root }))?.text === 'Hello')
  expect((await untilName(to, host, isActive)).certificate?.serial).toBe(certificate?.serial)
  expect((await keptOrders(to)).filter((order) => order.host === host)).toEqual([])
})
