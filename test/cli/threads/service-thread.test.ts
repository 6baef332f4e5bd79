import { expect, test } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceThread } from '../../../src/cli/threads/service-thread.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openLog } from '../../../src/lib/log.ts'
import { eventually, waitMsMax } from '../../harness/eventually.ts'

function aService() {
  const said: string[] = []
  const write = (line: string) => said.push(JSON.parse(line).message)
  const log = openLog({ level: 'info', format: 'json', write, now: systemClock.now })
  return { said, parts: { onMessage: () => {}, clock: systemClock, log, stalled: new Set<string>() } }
}

test('a thread that replaced a dead one gets its time to finish as well', async () => {
  const { said, parts } = aService()
  let count = 0
  const thread = new ServiceThread<number, never, { finish: true }>({
    ...parts,
    workerFile: new URL('./plain-thread.ts', import.meta.url),
    purpose: 'is tested',
    settings: () => ++count,
    closeMsMax: waitMsMax,
  })
  await eventually('it is replaced', async () => said.includes('begun 2'))
  const stopped = thread.stop()
  await eventually('it closes', async () => said.includes('closing'))
  thread.send({ finish: true })
  await stopped
  expect(said.at(-1)).toBe('finished')
})

test('a thread that hangs in the system is replaced twice, then named, and started again once it can end', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'capture-thread-'))
  const file = join(dir, 'pipe')
  Bun.spawnSync(['mkfifo', file])
  const { said, parts } = aService()
  let started = 0
  const thread = new ServiceThread<string, never>({
    ...parts,
    workerFile: new URL('./hanging-thread.ts', import.meta.url),
    purpose: 'is tested',
    settings: () => {
      started++
      return file
    },
    pingMs: 50,
    pausesMs: [10],
  })
  await eventually('it is given up', async () => parts.stalled.has('is tested'))
  const startedBefore = started
  // Whoever opens the pipe for writing lets all go on who wait for that. For reading too: else it would wait for one itself.
  closeSync(openSync(file, 'r+'))
  rmSync(file)
  await Bun.write(file, '')
  await eventually('the next one works', async () => started > startedBefore && said.includes('opened'))
  expect([startedBefore >= 3, parts.stalled.size]).toEqual([true, 0])
  await thread.stop()
  rmSync(dir, { recursive: true })
})
