// Files that visitors sent (docs/files.md), with the executable: receivers, kills, backups and moves.
import { expect, test } from 'bun:test'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { aForm, aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { filesHolding } from '../harness/files-holding.ts'
import { Receiver } from '../harness/receiver.ts'
import { pdf, tokenOf, uploadRequest } from '../harness/visitor-files.ts'
import { backedUpBox, isBackedUp, objectsIn } from './harness/backup-box.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { applyDeliveries, aWebhook, deliveryBox } from './harness/delivery-box.ts'
import { ageRecords } from './harness/passing-time.ts'
import type { RunningServer } from './harness/program.ts'

const forms = [aForm({ files: { cv: { types: ['pdf'], max: '1MB' } } })]
const site = aSite({ forms })

async function sendFile(server: RunningServer, email: string, bytes = pdf()): Promise<string> {
  const cv = tokenOf(await server.send(uploadRequest(bytes)))
  return submissionIdOf(await server.send(formRequest({ fields: { email, cv } })))
}

const fileOf = (box: BinaryBox, id: string) => box.done(['submission', 'file', 'acme', id, 'cv.pdf', '--out', '-'])

test('a webhook gets an address of each file, which is a download until the lead is removed', async () => {
  await using receiver = new Receiver()
  await using box = await deliveryBox()
  await applyDeliveries(box, [aWebhook(receiver.url())], { forms })
  await using server = await box.serve()
  const id = await sendFile(server, 'ada@customer.example')
  const [received] = await receiver.got(1)
  const [file] = JSON.parse(received?.body ?? '').data.files
  const { host, pathname } = new URL(file.url)
  expect({ ...file, host }).toMatchObject({
    name: 'cv.pdf',
    type: 'pdf',
    host: expect.stringMatching(/^go\.acme\.test(:|$)/),
  })
  const asked = (path: string) => server.send({ method: 'GET', host: 'go.acme.test', path, headers: {}, body: null })
  const answer = await asked(pathname)
  expect(answer.text).toBe(Buffer.from(pdf()).toString())
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-disposition': 'attachment; filename="cv.pdf"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  })
  expect((await asked(`${pathname}x`)).status).toBe(404)
  await box.done(['submission', 'remove', 'acme', id, '--yes'])
  expect((await asked(pathname)).status).toBe(404)
  expect(filesHolding(box.dataDir, pdf())).toEqual([])
})

test('after a kill, an acknowledged lead has its file, and a file that waits can still be claimed', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  const first = await box.serve()
  const id = await sendFile(first, 'ada@customer.example', pdf('acknowledged'))
  const waiting = tokenOf(await first.send(uploadRequest(pdf('waiting'))))
  first.signal('SIGKILL')
  await first.exits()
  await using server = await box.serve()
  expect(await fileOf(box, id)).toContain('acknowledged')
  const later = submissionIdOf(await server.send(formRequest({ fields: { cv: waiting } })))
  expect(await fileOf(box, later)).toContain('waiting')
})

test('a lost machine comes back with the files, and an erased person’s stay away', async () => {
  await using backed = await backedUpBox()
  const { box, target, identity, folder } = backed
  await box.apply(site)
  const server = await box.serve()
  const kept = await sendFile(server, 'ada@customer.example', pdf('kept'))
  await sendFile(server, 'ben@customer.example', pdf('erased'))
  await eventually('the target has both files', async () => objectsIn(folder, 'assets').length >= 3)
  await isBackedUp(backed)
  await box.done(['person', 'erase', 'acme', 'ben@customer.example', '--yes'])
  await isBackedUp(backed)
  server.signal('SIGKILL')
  await server.exits()
  rmSync(box.dataDir, { recursive: true, force: true })
  await box.done(['restore', target, '--identity', identity])
  expect(await fileOf(box, kept)).toContain('kept')
  await using again = await box.serve()
  await eventually('the erased file is gone', async () => filesHolding(box.dataDir, pdf('erased')).length === 0)
  expect(
    (await again.send({ method: 'GET', host: 'go.acme.test', path: '/launch', headers: {}, body: null })).status,
  ).toBe(200)
  expect(await fileOf(box, kept)).toContain('kept')
})

test('an account moves with its files', async () => {
  await using from = await BinaryBox.make()
  await from.apply(site)
  const server = await from.serve()
  const id = await sendFile(server, 'ada@customer.example')
  await server.stop()
  const file = join(from.dir, 'acme.capture')
  await from.done(['account', 'move', 'acme', '--to', file])
  await using to = await BinaryBox.make()
  await to.apply(aSite({ account: 'umbra' }))
  await to.done(['account', 'move', 'acme', '--from', file])
  expect(await fileOf(to, id)).toBe(Buffer.from(pdf()).toString())
})

test('the file of a refused submission goes when that expires, and a repaired box has the others', async () => {
  await using box = await BinaryBox.make()
  await box.apply(site)
  const first = await box.serve()
  const kept = await sendFile(first, 'ada@customer.example', pdf('kept'))
  const cv = tokenOf(await first.send(uploadRequest(pdf('of a bot'))))
  expect((await first.send(formRequest({ fields: { cv, _hp: 'I am a bot' } }))).status).toBe(403)
  await first.stop()
  ageRecords(box.databaseFile, 31 * 86_400_000)
  const second = await box.serve()
  await eventually('the refused file is gone', async () => filesHolding(box.dataDir, pdf('of a bot')).length === 0)
  await second.stop()
  const { folder, missingFiles } = JSON.parse(await box.done(['repair', '--json']))
  expect(missingFiles).toEqual([])
  rmSync(box.dataDir, { recursive: true })
  renameSync(folder, box.dataDir)
  expect(await fileOf(box, kept)).toContain('kept')
})
