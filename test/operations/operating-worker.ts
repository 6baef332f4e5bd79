import { openBox } from '../../src/cli/open.ts'
import type { Session } from '../../src/cli/session.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { calls, unopenedCalls, type Workplace } from './operation-calls.ts'

declare const self: Worker

/** What the thread posts of each operation; `terminal`: what it wrote to one. */
export type Posted = { name: string; result: unknown } | { failed: string } | { done: true; terminal: string }

self.onmessage = async ({ data }: MessageEvent<Workplace>) => {
  const post = (posted: Posted): void => self.postMessage(posted)
  let terminal = ''
  const write = (text: unknown): void => {
    terminal += String(text)
  }
  const stream = { isTerminal: true, write }
  const session: Session = {
    argv: [],
    env: {},
    cwd: data.dir,
    clock: systemClock,
    out: { ...stream, write: async (text) => stream.write(text) },
    err: stream,
    loadConfig: async () => loadConfig({ env: {}, cwd: data.dir }),
  }
  try {
    const { config } = await session.loadConfig()
    const box = await openBox(config, session)
    for (const [name, call] of Object.entries(calls)) {
      post({ name, result: await call(box, data, (notice) => post({ name: 'notice', result: notice })) })
    }
    await box.close()
    for (const [name, call] of Object.entries(unopenedCalls)) post({ name, result: await call(session, data) })
    post({ done: true, terminal })
  } catch (error) {
    post({ failed: String((error as Error).stack) })
  }
}
