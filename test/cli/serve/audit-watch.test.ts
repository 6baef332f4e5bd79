// The service logs the audit log's lines where that is wanted, and its last line once a day.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AuditWatch } from '../../../src/cli/serve/housekeeping.ts'
import { lineHash } from '../../../src/console/audit/audit-chain.ts'
import type { ChainedText } from '../../../src/console/audit/audit-log.ts'
import type { LogFields } from '../../../src/lib/log.ts'
import { aSite } from '../../harness/a-site.ts'
import { Box, boxStartMsMax } from '../../harness/box.ts'
import { eventually } from '../../harness/eventually.ts'

const day = 86_400_000

const line = (seq: number): ChainedText => ({
  seq,
  hash: `${seq}`.padStart(64, '0'),
  id: `id-${seq}`,
  at: 1,
  actor: { kind: 'user', id: 'u', label: 'a@agency.example' },
  address: '192.0.2.1',
  action: 'page.publish',
  accountId: 'acme',
  subject: 'launch',
  outcome: 'done',
  before: null,
  after: '{"state":"live"}',
})

/** A watch over a log of lines that a test adds. */
function aWatch({ audit = true, noted = null as number | null, unwritable = false } = {}) {
  let nowMs = day
  const kept: ChainedText[] = []
  const logged: LogFields[] = []
  const heads: LogFields[] = []
  const state = { noted }
  const logging = { audit }
  const watch = () =>
    new AuditWatch({
      lines: {
        head: () => kept.at(-1) ?? null,
        after: (seq, limit) => kept.filter((one) => one.seq > seq).slice(0, limit),
      },
      note: {
        read: async () => state.noted,
        async write(seq) {
          if (unwritable) throw new Error('no space left')
          state.noted = seq
        },
      },
      logging,
      log: { info: (message, fields = {}) => (message.includes('last line') ? heads : logged).push(fields) },
      clock: { now: () => nowMs },
    })
  return {
    watch,
    logging,
    heads,
    seqs: () => logged.map(({ seq }) => seq),
    logged,
    add: (count: number) => {
      for (let n = 0; n < count; n++) kept.push(line(kept.length + 1))
    },
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

describe('lines of the audit log', () => {
  test('are logged as they come, and not those from before', async () => {
    const { add, watch, seqs } = aWatch()
    add(3)
    const looking = watch()
    await looking.look()
    add(2)
    await looking.look()
    await looking.look()
    expect(seqs()).toEqual([4, 5])
  })

  test('that came while the service was stopped are logged after its start', async () => {
    const { add, watch, seqs } = aWatch()
    add(1)
    await watch().look()
    add(2)
    await watch().look()
    expect(seqs()).toEqual([2, 3])
  })

  test('are at most a hundred a look', async () => {
    const { add, watch, seqs } = aWatch({ noted: 0 })
    add(150)
    const looking = watch()
    await looking.look()
    expect(seqs()).toHaveLength(100)
    await looking.look()
    expect(seqs()).toHaveLength(150)
  })

  test('are logged once while the note of them cannot be written', async () => {
    const { add, watch, seqs } = aWatch({ unwritable: true })
    const looking = watch()
    await looking.look()
    add(1)
    await looking.look()
    await looking.look()
    expect(seqs()).toEqual([1])
  })

  test('are not logged unless that is wanted, which a reload may change', async () => {
    const { add, watch, seqs, logging } = aWatch({ audit: false })
    const looking = watch()
    add(1)
    await looking.look()
    logging.audit = true
    await looking.look()
    add(1)
    await looking.look()
    expect(seqs()).toEqual([2])
  })

  test('begin anew where a restore has taken the log back', async () => {
    const { add, watch, seqs } = aWatch({ noted: 100 })
    add(3)
    const looking = watch()
    await looking.look()
    add(1)
    await looking.look()
    expect(seqs()).toEqual([4])
  })
})

test('the last line is logged at the start and once a day', async () => {
  const { add, watch, heads, pass } = aWatch({ audit: false })
  add(2)
  const looking = watch()
  await looking.look()
  await looking.look()
  expect(heads).toEqual([{ seq: 2, hash: '2'.padStart(64, '0') }])
  add(1)
  pass(day)
  await looking.look()
  expect(heads).toHaveLength(2)
})

describe('a service with [log] audit', () => {
  let box: Box
  beforeAll(async () => {
    box = await Box.start([aSite()], { log: { audit: true } })
  }, boxStartMsMax)
  afterAll(() => box.stop())

  test('logs what a command has done, with all that the line’s hash covers', async () => {
    await eventually('the watch has begun', async () => existsSync(join(box.dir, 'data', 'audit-logged.json')))
    await box.run(['key', 'rotate', 'acme'])
    let found: (ChainedText & { actorKind: 'command'; actorId: string; actorLabel: string }) | undefined
    await eventually('the line is logged', async () => {
      found = box.logged.map((text) => JSON.parse(text)).find(({ action }) => action === 'key.rotate')
      return found !== undefined
    })
    const [before] = (await box.run(['audit', 'export'])).stdout.split('\n').map((text) => JSON.parse(text || '{}'))
    if (found === undefined) throw new Error('the line was not logged')
    const { actorKind, actorId, actorLabel, ...rest } = found
    const covered = { ...rest, actor: { kind: actorKind, id: actorId, label: actorLabel } }
    expect(lineHash(rest.seq, rest.seq === 1 ? '0'.repeat(64) : before.hash, covered)).toBe(rest.hash)
  })
})
