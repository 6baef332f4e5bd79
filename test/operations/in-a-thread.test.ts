// The console will call operations on a thread of its own: with plain data, and without a terminal.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ADataFolder } from '../cli/a-data-folder.ts'
import { aSite } from '../harness/a-site.ts'
import { Receiver } from '../harness/receiver.ts'
import { submission } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import type { Posted } from './operating-worker.ts'
import { calls, destination, unopenedCalls, type Workplace } from './operation-calls.ts'

const email = 'ada@customer.example'
const submissionId = '01a1fb9b-63c5-76c7-8301-36bd5b40ceed'

/** Runs every operation on a thread, until it is done or fails. */
async function postedBy(workplace: Workplace): Promise<Posted[]> {
  const posted: Posted[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const worker = new Worker(new URL('./operating-worker.ts', import.meta.url))
  worker.onmessage = ({ data }: MessageEvent<Posted>) => {
    posted.push(data)
    if (!('name' in data)) resolve()
  }
  worker.onerror = ({ message }) => reject(new Error(message))
  worker.postMessage(workplace)
  try {
    await promise
    return posted
  } finally {
    worker.terminate()
  }
}

test('every operation runs on a thread, takes and answers what can be posted, and writes to no terminal', async () => {
  await using receiver = new Receiver()
  const deliveries = [{ name: destination, kind: 'webhook', url: receiver.url() }]
  const site = aSite({ files: { 'pages/launch.html': 'first' }, deliveries })
  using folder = new ADataFolder('[delivery]\nallow_private = ["127.0.0.0/8"]\n')
  await folder.apply(site)
  await folder.apply({ ...site, files: { 'pages/launch.html': 'second' } })
  const { id: accountId } = await folder.json(['account', 'show', site.account])
  // A destination gets nothing from before it existed.
  const receivedAt = Date.now() + 1000
  const entry = submission({ id: submissionId, accountId: String(accountId), receivedAt, email, fields: { email } })
  storeEntries(join(folder.dataDir, 'capture.db'), [entry])

  const posted = await postedBy({ dir: folder.dir, account: site.account, page: 'launch', submissionId, email })

  const names = posted.flatMap((one) => ('name' in one ? [one.name] : []))
  expect(posted.find((one) => 'failed' in one)).toBeUndefined()
  expect(names).toEqual([...Object.keys(calls), ...Object.keys(unopenedCalls)])
  expect(posted.at(-1)).toEqual({ done: true, terminal: '' })
})
