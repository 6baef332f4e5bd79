import { Database } from 'bun:sqlite'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { databaseFile } from './database-file.ts'
import { answersTo, type Latencies, samplesOf } from './paced-answers.ts'
import { benchSite } from './site.ts'
import { until } from './until.ts'

export interface DeliveriesResult {
  /** What waited after a receiver's bad day, and how long it took until nothing did. */
  deliveries: number
  drainSeconds: number
  /** Answers to forms while nothing waits, and while these are sent. */
  alone: Latencies
  draining: Latencies
}

const destinations = 4
const drainSecondsMax = 1800

/** How fast waiting deliveries are sent, and what captures notice of it meanwhile. */
export async function measureDeliveries(run: BenchRun): Promise<DeliveriesResult> {
  const { deliveries } = run.options
  run.progress(`deliveries: ${deliveries} to ${destinations} destinations`)
  using receiver = startReceiver()
  const box = await makeBox(run)
  await publishBenchSite(box)
  const server = await box.start()
  const samples = samplesOf(run)
  const alone = await answersTo(box, () => false, samples)
  await addDestinations(box, receiver.url)
  fill(box, deliveries)
  const startedAt = performance.now()
  const draining = await answersTo(box, () => waiting(box) === 0, samples)
  await until('nothing waits', () => waiting(box) === 0, drainSecondsMax)
  const drainSeconds = (performance.now() - startedAt) / 1000
  await server.stop()
  await box.remove()
  return { deliveries, drainSeconds, alone, draining }
}

/** A receiver that takes everything. */
function startReceiver(): Disposable & { url: string } {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('ok') })
  return { url: server.url.href, [Symbol.dispose]: () => void server.stop(true) }
}

async function addDestinations(box: CaptureBox, url: string): Promise<void> {
  const names = Array.from({ length: destinations }, (_, index) => `crm-${index}`)
  const tables = names.map((name) => `\n[[deliveries]]\nname = "${name}"\nkind = "webhook"\nurl = "${url}${name}"\n`)
  await appendFile(join(box.folder, 'site', 'site.toml'), tables.join(''))
  await box.command('apply', join(box.folder, 'site'), '--json')
}

/** As if the receiver had been away: the same submission for each, which is read and signed anew. */
function fill({ dataFolder }: CaptureBox, deliveries: number): void {
  using database = new Database(databaseFile(dataFolder), { strict: true })
  database.run('PRAGMA busy_timeout = 60000')
  const insert = database.query(
    `INSERT INTO delivery (id, account_row, destination_row, sequence, submission_id, form_id, state, created_at, next_at)
     SELECT ?1, ledger.account_row, destination.row, sequence, ledger.id, ?2, 'waiting', ?3, ?3
     FROM ledger, destination WHERE destination.name = ?4 AND ledger.kind = 1 ORDER BY sequence LIMIT 1`,
  )
  const now = Date.now()
  const batch = database.transaction((from: number, to: number) => {
    for (let index = from; index < to; index++)
      insert.run(Bun.randomUUIDv7(), benchSite.formId, now, `crm-${index % destinations}`)
  })
  for (let from = 0; from < deliveries; from += 1000) batch(from, Math.min(deliveries, from + 1000))
}

function waiting({ dataFolder }: CaptureBox): number {
  using database = new Database(databaseFile(dataFolder), { readonly: true })
  return (
    database.query<{ count: number }, []>("SELECT count(*) AS count FROM delivery WHERE state = 'waiting'").get()
      ?.count ?? 0
  )
}
