import { expect, test } from 'bun:test'
import { ServiceThread } from '../../../src/cli/serve/service-thread.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openLog } from '../../../src/lib/log.ts'
import { eventually, waitMsMax } from '../../harness/eventually.ts'

test('a thread that replaced a dead one gets its time to finish as well', async () => {
  const said: string[] = []
  const write = (line: string) => said.push(JSON.parse(line).message)
  let count = 0
  const thread = new ServiceThread<number, never, { finish: true }>({
    workerFile: new URL('./plain-thread.ts', import.meta.url),
    purpose: 'is tested',
    settings: () => ++count,
    onMessage: () => {},
    clock: systemClock,
    log: openLog({ level: 'info', format: 'json', write, now: systemClock.now }),
    closeMsMax: waitMsMax,
  })
  await eventually('it is replaced', async () => said.includes('begun 2'))
  const stopped = thread.stop()
  await eventually('it closes', async () => said.includes('closing'))
  thread.send({ finish: true })
  await stopped
  expect(said.at(-1)).toBe('finished')
})
