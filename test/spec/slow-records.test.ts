// A record that takes processing too long is set aside, and never keeps others from being stored (docs/decisions/0074). Rules
// are made slow in a program of the test's own.
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSite, writeSite } from '../harness/a-site.ts'
import { runCommand } from '../harness/capture-command.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { sendRequest } from '../harness/http.ts'
import { LaterVersion } from '../harness/later-version.ts'
import { type ServerProcess, startServer } from '../harness/server-process.ts'

const rulesFile = 'src/processing/person/tie-to-person.ts'
const rule = 'export function statedEmail(entry: Entry): string | null {'
const whenSlow = "if (JSON.stringify(entry).includes('slow@example.test'))"
const loop = `${rule}\n  ${whenSlow} for (;;) entry.id.length`
/** Nothing can interrupt the engine within one call of a pattern. */
const endlessPattern = `${rule}\n  ${whenSlow} /^(\\s*a\\s*)*?\\s*\\s*\\s*\\s*b/.test(' '.repeat(50_000))`

let dir: string
let server: ServerProcess | null
beforeEach(async () => {
  server = null
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'capture-slow-')))
  writeFileSync(
    configFile(),
    '[server]\nlisten = "127.0.0.1:0"\n[console]\nlisten = ""\n[limits]\nmin_free_mb = 0\nform_per_ip = 1000000\nform_per_origin = 1000000\n',
  )
  writeSite(join(dir, 'site'), aSite())
  expect((await run('apply', join(dir, 'site'))).status).toBe(0)
})
afterEach(async () => {
  await server?.stop().catch(() => {})
  rmSync(dir, { recursive: true, force: true })
})

const configFile = () => join(dir, 'capture.toml')
const run = (...argv: string[]) => runCommand([...argv, '--config', configFile()], dir)

/** A program of this version; `slow`: its rule of persons. */
const program = (version: string, slow: string | null): string[] => {
  const later = LaterVersion.make(join(dir, version), [])
  later.change(version, slow === null ? [] : [[rulesFile, rule, slow]])
  return later.command
}

const start = async (words: string[]): Promise<number> => {
  server = await startServer(configFile(), dir, words)
  return server.port
}

const slowRecords = (port: number, count: number) => {
  const identify = { event: '$identify', traits: { email: 'slow@example.test' } }
  return sendRequest(port, eventRequest({ events: Array(count).fill(identify) }))
}

const doctorSays = async (words: RegExp): Promise<boolean> => words.test((await run('doctor')).stdout)

test('records that take too long are set aside one by one while forms are stored, and tried again by another version', async () => {
  const port = await start(program('0.1.1', loop))
  expect((await slowRecords(port, 3)).status).toBe(202)
  const answers: number[] = []
  await eventually('all three are set aside', async () => {
    answers.push((await sendRequest(port, formRequest())).status)
    return doctorSays(
      /3 records could not be processed; the latest on .*, [0-9a-f-]{36} of the account "acme": it took more than 250 ms/,
    )
  })
  // A machine with no time for the thread may have it taken for hanging, and a form refused until the next try.
  expect(answers).toContain(200)
  expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([])
  await server?.stop()

  await start(program('0.1.2', null))
  await eventually('none is set aside', async () => !(await doctorSays(/could not be processed/)))
  expect(await doctorSays(/Everything captured has been processed/)).toBe(true)
})

test('where a record cannot be left, the service ends, and the next one sets the record aside', async () => {
  const words = program('0.1.1', endlessPattern)
  const port = await start(words)
  expect((await slowRecords(port, 1)).status).toBe(202)
  const { pid = 0 } = server ?? {}
  await eventually('the service has ended', async () => !isRunning(pid))

  const next = await start(words)
  expect((await sendRequest(next, formRequest())).status).toBe(200)
  await eventually('it is set aside', () => doctorSays(/1 record could not be processed.*it took more than 250 ms/))
  expect(isRunning(server?.pid ?? 0)).toBe(true)
})

test('a record that took too long is not tried again by the same version', async () => {
  const words = program('0.1.1', loop)
  const port = await start(words)
  expect((await slowRecords(port, 1)).status).toBe(202)
  await eventually('it is set aside', async () => setAside().some(({ slowIn }) => slowIn === '0.1.1'))
  expect((await sendRequest(port, formRequest())).status).toBe(200)
  await eventually('the form is processed', () => doctorSays(/Everything captured has been processed/))
  await server?.stop()
  const [slow] = setAside()
  // Each start tries again, in the order of capture, what was set aside for another reason.
  otherwiseSetAside()

  await start(words)
  await eventually('the other one was tried', async () => setAside().every(({ at }) => at > 0))
  expect(setAside()[0]).toEqual(slow as SetAside)
})

interface SetAside {
  sequence: number
  at: number
  slowIn: string | null
}

const databaseFile = () => join(dir, 'data/capture.db')

/** The latest entry, as if a fault of another kind had kept it from being processed. */
function otherwiseSetAside(): void {
  using database = new Database(databaseFile())
  database.run(
    `INSERT INTO set_aside (sequence, account_row, reason, at) SELECT max(sequence), 1, 'Error', 0 FROM ledger`,
  )
}

function setAside(): SetAside[] {
  using database = new Database(databaseFile(), { readonly: true })
  return database.query<SetAside, []>('SELECT sequence, at, slow_in AS slowIn FROM set_aside ORDER BY sequence').all()
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
