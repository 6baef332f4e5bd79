import { expect, test } from 'bun:test'
import { KeeperThread } from '../../../src/cli/serve/serve-https.ts'
import { Http01Answers } from '../../../src/https/acme/authority.ts'
import type { KeeperSettings } from '../../../src/https/keeper/targets.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openLog } from '../../../src/lib/log.ts'
import { eventually } from '../../harness/eventually.ts'

const settings: KeeperSettings = {
  databaseFile: '',
  ownHosts: ['preview.acme.dev'],
  previewsBelow: null,
  directories: { first: 'https://first.test/dir', staging: null, fallback: null },
  caFile: null,
  contact: '',
  externalBinding: null,
  profile: '',
  addresses: [],
  resolvers: [],
  userAgent: 'capture/test',
}

function aThread(overrides: Partial<KeeperSettings> = {}) {
  const lines: { level: string; message: string; reason?: string }[] = []
  const issued: string[] = []
  const answers = new Http01Answers()
  const thread = new KeeperThread({
    workerFile: new URL('./plain-keeper.ts', import.meta.url),
    settings: { ...settings, ...overrides },
    answers,
    onIssued: ({ host }) => void issued.push(host),
    clock: systemClock,
    log: openLog({ level: 'info', format: 'json', write: (line) => lines.push(JSON.parse(line)), now: () => 0 }),
    stalled: new Set(),
  })
  return { thread, lines, issued, answers, said: (message: string) => lines.filter((line) => line.message === message) }
}

test('an answer is shown before the thread hears that it is, and hidden when it says so', async () => {
  const { thread, issued, answers, said } = aThread()
  await eventually('it is shown', async () => said('shown 7').length === 1)
  expect(answers.answerTo('a-token')).toBe('its answer')
  await eventually('the certificate is told of', async () => issued.length === 1)
  await thread.stop()
  expect(answers.answerTo('a-token')).toBeNull()
})

test('a thread that dies is started again, and the log says where it died and quotes nothing', async () => {
  const { thread, lines, said } = aThread({ contact: 'dies' })
  await eventually('it is started again', async () => said('begun').length >= 2)
  await thread.stop()
  const [error] = lines.filter(({ level }) => level === 'error')
  expect(error?.message).toContain('restarted; the service continues')
  expect(error?.reason).toMatch(/^a fault in plain-keeper\.ts:\d+$/)
  expect(JSON.stringify(lines)).not.toContain('a secret of the record')
})

test('a thread that is stopped stays so', async () => {
  const { thread, said } = aThread()
  await eventually('it has begun', async () => said('begun').length === 1)
  await Promise.all([thread.stop(), thread.stop()])
  await thread.stop()
  expect(said('begun')).toHaveLength(1)
})
