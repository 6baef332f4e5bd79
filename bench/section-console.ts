import { pages } from '../src/console/page/pages.ts'
import { newId } from '../src/lib/id.ts'
import { ConsoleVisitor } from '../test/harness/console-visitor.ts'
import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { fillLedger } from './fill-ledger.ts'
import { fillProcessed } from './fill-processed.ts'
import { median } from './median.ts'
import { formPath } from './paths/form.ts'
import { counterMark } from './raw-request.ts'
import { benchSite } from './site.ts'
import { until } from './until.ts'

export interface ConsolePageResult {
  page: string
  /** From the request to the first byte of the answer. */
  firstByteMs: number
  /** Of the answer, uncompressed. */
  bytes: number
}

export interface ConsoleResult {
  storedEvents: number
  pages: ConsolePageResult[]
}

const submissions = 1000
/** As many as an account keeps (docs/privacy.md, "How long"), and as many leads beside them. */
const [quarantined, leads] = [100_000, 100_000]
const runs = 21

/** What whoever uses the console waits for when years of events are stored. */
export async function measureConsole(run: BenchRun): Promise<ConsoleResult> {
  const storedEvents = run.options.growthEvents
  run.progress(`console: storing ${storedEvents} events`)
  const box = await makeBox(run)
  await publishBenchSite(box)
  fillLedger(box.dataFolder, { events: storedEvents, quarantined, leads })
  fillProcessed(box.dataFolder)
  const server = await box.start()
  run.progress(`console: sending ${submissions} submissions, and reading`)
  const submissionId = await sendForms(box)
  const visitor = new ConsoleVisitor({ consolePort: box.consolePort })
  const { link } = JSON.parse(await box.command('user', 'invite', 'bench@agency.example', '--owner', '--json'))
  await visitor.accept(link)
  const account = `/a/${benchSite.account}`
  const paths = [...plainPaths(), ...growingPaths(account), `${account}/s/${submissionId}`]
  const results: ConsolePageResult[] = []
  for (const path of paths) results.push(await measured(box, path, visitor.cookie))
  await server.stop()
  await box.remove()
  return {
    storedEvents,
    pages: results.map(({ page, ...result }) => ({ page: page.replace(submissionId, 'ID'), ...result })),
  }
}

/** Pages that read more the more there is: rare states, searches in vain, and the figures of years. */
function growingPaths(account: string): string[] {
  const choices = ['accepted', 'refused', 'all'].map((status) => `${account}?status=${status}`)
  const inbox = choices.flatMap((choice) => [
    choice,
    `${choice}&state=done`,
    `${choice}&state=new`,
    `${choice}&form=${benchSite.formId}`,
    `${choice}&q=nobody-has-written-this`,
    `${choice}&q=0a0a-0b`,
  ])
  const reports = [90, 182, 365, 730].map((days) => `${account}/report?from=${dateBefore(days)}&to=${dateBefore(1)}`)
  return [...inbox, ...reports]
}

const dateBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Of every page that needs no more than an account to be named, but for the stream of the live inbox. */
const plainPaths = (): string[] =>
  pages
    .map(({ path }) => path.replace(':account', benchSite.account))
    .filter((path) => !path.includes(':') && !path.endsWith('/live'))

/** @returns the id of the last one, once it is processed */
async function sendForms(box: CaptureBox): Promise<string> {
  const { method, target, headers, body } = await formPath.request(await firstVisit(box))
  let last = ''
  for (let number = 0; number < submissions; number++) {
    const sent = (body ?? '').replace(counterMark, String(number))
    const answer = await fetch(`http://127.0.0.1:${box.port}${target}`, { method, headers, body: sent })
    last = ((await answer.json()) as { submissionId?: string }).submissionId ?? newId()
  }
  await until('the last submission to be processed', async () => {
    const shown = await box.command('submission', 'list', benchSite.account, '--json')
    return shown.includes(last)
  })
  return last
}

async function measured(box: CaptureBox, path: string, cookie: string): Promise<ConsolePageResult> {
  const times: number[] = []
  let bytes = 0
  for (let count = 0; count < runs; count++) {
    const started = performance.now()
    const headers = { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie }
    const answer = await fetch(`http://127.0.0.1:${box.consolePort}${path}`, { headers, redirect: 'manual' })
    times.push(performance.now() - started)
    // A page that asks again who the user is leads there.
    if (answer.status !== 200 && answer.status !== 303) throw new Error(`${path} was answered with ${answer.status}`)
    bytes = (await answer.arrayBuffer()).byteLength
  }
  return { page: path, firstByteMs: median(times), bytes }
}
