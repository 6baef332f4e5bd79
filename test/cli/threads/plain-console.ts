// A thread that speaks the console's messages: it listens once the file `listen` is there, and dies at work once `die` is. While
// `resting` is there, it begins no work; then it closes once `close` is. Once `hang` is there, it takes that and hangs.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ConsoleLeaving, ConsoleNotice } from '../../../src/cli/threads/console-thread.ts'
import type { FromThread, ToThread } from '../../../src/cli/threads/service-thread.ts'

declare const self: Worker

const say = (message: FromThread<ConsoleNotice>): void => self.postMessage(message)

let isResting = false
let isThere = (_name: string): boolean => false

self.onmessage = async ({
  data,
}: MessageEvent<ToThread<{ config: { config: { dataDir: string } } }, ConsoleLeaving>>) => {
  if ('close' in data) {
    while (isResting && !isThere('close')) await Bun.sleep(5)
    return say({ closed: true })
  }
  if ('ping' in data) return say({ pong: true })
  if ('leave' in data) return say({ log: { level: 'info', message: 'leaves', fields: {} } })
  isThere = (name: string) => existsSync(join(data.begin.config.config.dataDir, name))
  isResting = isThere('resting')
  say({ log: { level: 'info', message: 'begun', fields: {} } })
  while (!isThere('listen')) await Bun.sleep(5)
  say({ listening: true })
  if (isResting || isThere('died')) return
  say({ atWork: true })
  say({ log: { level: 'info', message: 'at work', fields: {} } })
  while (!isThere('die')) {
    await Bun.sleep(5)
    if (!isThere('hang')) continue
    rmSync(join(data.begin.config.config.dataDir, 'hang'))
    for (;;) Bun.sleepSync(10)
  }
  await Bun.write(join(data.begin.config.config.dataDir, 'died'), '')
  setTimeout(() => {
    throw new Error('dies')
  })
}
