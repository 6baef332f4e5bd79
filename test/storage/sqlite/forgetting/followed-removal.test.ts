// A follower of a cluster removes what its leader removed (docs/decisions/0080): its box is then the leader's, and holds nothing erased.
import { describe, expect, spyOn, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import fc from 'fast-check'
import type { LedgerEntry } from '../../../../src/ledger/decision.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { type Connection, openConnection } from '../../../../src/storage/sqlite/database/connection.ts'
import { Retention } from '../../../../src/storage/sqlite/forgetting/retention.ts'
import { APair } from '../../../cluster/a-pair.ts'
import { collision } from '../../../processing/a-collision.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'
import { allowDeletion } from '../allow-deletion.ts'
import { entriesOf, happenings, minute, type World } from '../shared-devices.ts'
import { derivedContent, mixedEntry } from '../stored-entries.ts'

/** A box that leads, and its follower. */
class Followed implements AsyncDisposable {
  readonly leader = new AForgettingBox()
  readonly pair = new APair(this.leader.database.file)
  readonly follower = openConnection(this.pair.followerFile)

  /** Makes links of what happened. */
  link(): void {
    this.leader.capture()
    while (this.pair.link() !== null);
  }

  async carry(): Promise<void> {
    this.link()
    await this.pair.follow()
  }

  expectEqual(): void {
    expect(madeOf(this.follower)).toEqual(madeOf(this.leader.connection))
  }

  /** The bytes of the follower's folder, one character each. */
  bytes(): string {
    const dir = dirname(this.pair.followerFile)
    return readdirSync(dir)
      .map((name) => readFileSync(join(dir, name)).toString('latin1'))
      .join('')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.follower.raw.close()
    this.pair[Symbol.dispose]()
    await this.leader[Symbol.asyncDispose]()
  }
}

const ofOneNode = ['cluster_changed', 'cluster_position', 'cluster_sent', 'delivered_elsewhere']

/** A row that is zero, and a tie to nobody: they say nothing, and are not made where what they stood for was never seen. */
const saysNothing: Record<string, (row: Record<string, unknown>) => boolean> = {
  day_figure: ({ count }) => count === 0,
  device_tie: (tie) => !('person_row' in tie),
}

function madeOf({ raw }: Connection) {
  const made = Object.entries(derivedContent(raw)).filter(([name]) => !ofOneNode.includes(name))
  return {
    ledger: raw.query('SELECT * FROM ledger ORDER BY sequence').all(),
    made: Object.fromEntries(
      made.map(([name, rows]) => [name, rows.filter((row) => saysNothing[name]?.(JSON.parse(row)) !== true)]),
    ),
  }
}

const world: World = {
  whats: ['view', 'view', 'script view', 'event', 'click', 'lead', 'lead', 'repeat', 'refused', 'identify'],
  devices: [0, 0, 1],
  gapsMs: [0, 4 * minute, 31 * minute, 26 * 60 * minute],
}

type Step = { do: 'capture' | 'carry' | 'erase' | 'erase sent' | 'expire'; share: number }

const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('capture', 'capture', 'carry', 'carry', 'erase', 'erase sent', 'expire'),
    share: fc.double({ min: 0.1, max: 1, noNaN: true }),
  }),
  { minLength: 3, maxLength: 9 },
)

async function play(followed: Followed, { entries, steps, emails }: Played): Promise<void> {
  let left = entries
  const { leader } = followed
  for (const { do: step, share } of steps) {
    const count = Math.ceil(left.length * share)
    const email = emails[count % emails.length] ?? ''
    if (step === 'capture') {
      leader.capture(...left.slice(0, count))
      left = left.slice(count)
    } else if (step === 'carry') await followed.carry()
    else if (step === 'erase') await leader.erase(email, { recipients: ['to-ada'] })
    else if (step === 'erase sent') {
      const sent = leader.rows<{ id: string }>(`SELECT id FROM ledger WHERE kind = 1 AND account_row = 1`)
      const id = sent[count % Math.max(1, sent.length)]?.id
      if (id !== undefined) await leader.erase(email, { email: null, sent: { ids: [id], reach: 'sender' } })
    } else {
      const last = leader.rows<{ at: number | null }>('SELECT max(received_at) AS at FROM ledger WHERE kind < 5')[0]?.at
      // By the time of a link, both have the same records: what expires in between is for the hourly comparison.
      await followed.carry()
      leader.expire((last ?? 0) - share * 60 * minute)
      await followed.carry()
    }
  }
  leader.capture(...left)
  await followed.carry()
}

interface Played {
  entries: LedgerEntry[]
  steps: Step[]
  emails: string[]
}

describe('a follower', () => {
  test.each<[string, fc.Arbitrary<LedgerEntry[]>, string[]]>([
    ['people who share devices', happenings(world).map(entriesOf), ['ada@customer.example', 'ben@customer.example']],
    ['bursts, repeats and records that came late', collision, ['ada@acme.example', 'bob@acme.example']],
  ])('has the tables of its leader, whenever that erases and lets expire: %s', async (_, entries, emails) => {
    await fc.assert(
      fc.asyncProperty(entries, steps, async (entries, steps) => {
        await using followed = new Followed()
        await play(followed, { entries, steps, emails })
        followed.expectEqual()
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })

  test('holds the erased address in no byte once it has applied the link', async () => {
    const erased = 'person-5@acme.example'
    await using followed = new Followed()
    for (let from = 0; from < 3000; from += 1000) {
      followed.leader.capture(...mixed(1000, from))
      await followed.carry()
    }
    expect(followed.bytes()).toContain(erased)
    await followed.leader.erase(erased)
    await followed.carry()
    expect(followed.bytes()).not.toContain(erased)
    followed.expectEqual()
  })

  test('killed before any transaction of an erasure, it has the leader’s tables after the next try', async () => {
    await using followed = new Followed()
    followed.leader.capture(...mixed(700))
    await followed.carry()
    let kills = 0
    for (let person = 5; person < 13; person++) {
      await followed.leader.erase(`person-${person}@acme.example`)
      followed.link()
      for (let deathAt = person - 5; await dies(followed, deathAt); deathAt += 8) kills++
    }
    expect(kills).toBeGreaterThan(8)
    followed.expectEqual()
  })

  test('lets nothing expire by itself', async () => {
    await using followed = new Followed()
    followed.leader.capture(...mixed(50))
    await followed.carry()
    const { follower } = followed
    const before = madeOf(follower)
    const later = Date.UTC(2040, 0, 1)
    allowDeletion(follower, later)
    const clock = { now: () => later, monotonicMs: systemClock.monotonicMs }
    expect(new Retention(clock, () => {}).run(follower, 1000)).toBe('done')
    expect(madeOf(follower)).toEqual(before)
  })
})

test('a single box notes no removals', async () => {
  await using box = new AForgettingBox()
  box.capture(...mixed(50))
  await box.erase('person-5@acme.example')
  box.expire(Date.UTC(2030, 0, 1))
  expect(box.count('linked_removal')).toBe(0)
})

const mixed = (count: number, from = 0): LedgerEntry[] =>
  Array.from({ length: count }, (_, number) => mixedEntry('account-a', from + number))

/** Lets the follower die before a transaction; `false`: it came to the end. */
async function dies({ pair }: Followed, deathAt: number): Promise<boolean> {
  const transaction = BunSQLiteDatabase.prototype.transaction
  const death = new Error('killed')
  let begun = 0
  const dying = spyOn(BunSQLiteDatabase.prototype, 'transaction').mockImplementation(function (
    this: BunSQLiteDatabase,
    ...args
  ) {
    if (begun++ === deathAt) throw death
    return transaction.apply(this, args) as never
  })
  try {
    await pair.follow()
    return false
  } catch (error) {
    if (error !== death) throw error
    return true
  } finally {
    dying.mockRestore()
  }
}
