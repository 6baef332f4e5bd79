import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConsoleThread } from '../../../src/cli/threads/console-thread.ts'
import type { Config } from '../../../src/config/config.ts'
import { openLog } from '../../../src/lib/log.ts'
import { eventually } from '../../harness/eventually.ts'

/** @param pingMs a thread that leaves twelve questions unanswered is replaced */
function aConsole(pingMs = 10_000) {
  const dataDir = mkdtempSync(join(tmpdir(), 'capture-thread-'))
  const lines: { message: string }[] = []
  let nowMs = 0
  const thread = new ConsoleThread({
    workerFile: new URL('./plain-console.ts', import.meta.url),
    config: { dataDir } as Config,
    readConfig: () => ({ warnings: [] }) as never,
    onRefusal: () => {},
    clock: { monotonicMs: () => nowMs },
    log: openLog({ level: 'info', format: 'json', write: (line) => lines.push(JSON.parse(line)), now: () => 0 }),
    stalled: new Set(),
    startMs: 20,
    pingMs,
  })
  return {
    thread,
    count: (message: string) => lines.filter((line) => line.message === message).length,
    pass: (ms: number) => {
      nowMs += ms
    },
    put: (name: string) => Bun.write(join(dataDir, name), ''),
    has: (name: string) => existsSync(join(dataDir, name)),
    remove: (name: string) => rmSync(join(dataDir, name)),
    async [Symbol.asyncDispose]() {
      await thread.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Whether a request was let through to the thread. */
const isUsable = ({ thread }: ReturnType<typeof aConsole>): Promise<boolean> =>
  thread.use().then(
    ({ end }) => {
      end()
      return true
    },
    () => false,
  )

test('a console that starts slowly refuses those who wait too long, and answers once it listens', async () => {
  await using slow = aConsole()
  expect(await isUsable(slow)).toBe(false)
  await slow.put('listen')
  await eventually('the console answers', () => isUsable(slow))
  expect(slow.count('begun')).toBe(1)
})

test('a thread that hangs is replaced, and what it was sent is given up', async () => {
  await using hanging = aConsole(500)
  await hanging.put('listen')
  await eventually('the console answers', () => isUsable(hanging))
  const { gone, send } = await hanging.thread.use()
  await eventually('it is at work', async () => hanging.count('at work') === 1)
  await hanging.put('hang')
  await eventually('the request is given up', async () => gone.aborted)
  await eventually('the next one answers', () => isUsable(hanging))
  const next = await hanging.thread.use()
  next.end()
  expect(next.send).not.toBe(send)
})

test('a console whose node no longer leads is told so before it ends, and starts again once somebody uses it', async () => {
  await using led = aConsole()
  await led.put('listen')
  await eventually('the console answers', () => isUsable(led))
  const { gone } = await led.thread.use()
  await led.thread.leave()
  expect([led.count('leaves'), gone.aborted]).toEqual([1, true])
  await eventually('the next one answers', () => isUsable(led))
  expect(led.count('begun')).toBe(2)
})

test('a thread that hangs leaves a service that stops its time for the rest', async () => {
  await using hanging = aConsole()
  await hanging.put('listen')
  await eventually('it is at work', async () => (await isUsable(hanging)) && hanging.count('at work') === 1)
  await hanging.put('hang')
  await eventually('it hangs', async () => !hanging.has('hang'))
  let ticks = 0
  const ticking = setInterval(() => ticks++, 100)
  await hanging.thread.stop()
  clearInterval(ticking)
  // Others have 5 s. Ticks that a busy machine makes late are not made up for.
  expect(ticks).toBeLessThan(30)
})

test('work that dies with its thread keeps the next one from resting no longer', async () => {
  await using dying = aConsole()
  await dying.put('listen')
  await eventually('the console answers', () => isUsable(dying))
  await eventually('it is at work', async () => dying.count('at work') === 1)
  dying.pass(3_600_000)
  await dying.thread.restIfIdle()
  await dying.put('die')
  await eventually('it is started again', async () => dying.count('begun') === 2)
  dying.pass(3_600_000)
  await dying.thread.restIfIdle()
  await eventually('the next request starts it anew', async () => (await isUsable(dying)) && dying.count('begun') === 3)
})

test('a thread that ends late does not end the work of the next one', async () => {
  await using changing = aConsole()
  await changing.put('resting')
  await changing.put('listen')
  await eventually('the console answers', () => isUsable(changing))
  changing.pass(3_600_000)
  const resting = changing.thread.restIfIdle()
  changing.remove('resting')
  await eventually('the next thread answers', () => isUsable(changing))
  await eventually('it is at work', async () => changing.count('at work') === 1)
  await changing.put('close')
  await resting
  // What the first thread's end sets off has happened once a thread that is ended after it is gone.
  const later = new Worker(new URL('./plain-console.ts', import.meta.url))
  const gone = new Promise((resolve) => later.addEventListener('close', resolve))
  later.addEventListener('open', () => later.terminate())
  await gone
  changing.pass(3_600_000)
  await changing.thread.restIfIdle()
  expect(await isUsable(changing)).toBe(true)
  expect(changing.count('begun')).toBe(2)
})
