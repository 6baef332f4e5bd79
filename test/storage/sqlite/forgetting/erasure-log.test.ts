// docs/privacy.md: an erasure holds in a restore, and names ids, never the address.
import { describe, expect, test } from 'bun:test'
import { erasedIdsMax } from '../../../../src/ledger/decision.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { removeAccountRows, unfinishedRemovals } from '../../../../src/storage/sqlite/account/account-removal.ts'
import { allErasures, LoggedErasure } from '../../../../src/storage/sqlite/forgetting/erasure-log.ts'
import { released, submission, trackedEvent } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const at = (minute: number): number => Date.UTC(2026, 10, 20, 9, minute)
const lead = (id: string, deviceId: string | null, email: string | null) =>
  submission({ id, deviceId, receivedAt: at(1), email, fields: { email } })

/** What the ledger tells of each erasure, all entries of one together. */
function erasures(box: AForgettingBox) {
  const byErasure = Map.groupBy(allErasures(box.connection.raw), ({ erasureId }) => erasureId)
  return [...byErasure.values()].map((entries) => ({
    accountId: entries[0]?.accountId,
    personId: entries[0]?.personId,
    records: entries.flatMap(({ records }) => records),
    hasEnded: entries.at(-1)?.isEnd,
  }))
}

describe('what the ledger tells of an erasure', () => {
  test('is the account, the person’s id and every record that was taken, refused ones too', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('lead-1', 'device-1', ada),
      trackedEvent({ id: 'event-1', receivedAt: at(2) }),
      submission({
        id: 'refused-1',
        deviceId: null,
        receivedAt: at(3),
        email: ada,
        status: 'refused',
        refusedFor: 'honeypot',
      }),
      lead('lead-2', null, ben),
    )
    const [person] = box.rows<{ id: string }>(`SELECT id FROM person WHERE email = '${ada}'`)
    await box.erase(ada)
    expect(erasures(box)).toEqual([
      {
        accountId: 'account-a',
        personId: person?.id,
        records: ['lead-1', 'event-1', 'refused-1'],
        hasEnded: true,
      },
    ])
  })

  test('is kept of somebody who is known by refused records alone', async () => {
    await using box = new AForgettingBox()
    box.capture(submission({ id: 'refused-1', deviceId: null, email: ada, status: 'refused', refusedFor: 'honeypot' }))
    await box.erase(ada)
    expect(erasures(box)).toMatchObject([{ personId: null, records: ['refused-1'] }])
  })

  test('is nothing of an address by which nobody was known', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', null, ben))
    await box.erase(ada)
    expect(erasures(box)).toEqual([])
  })

  test('is what an interrupted one took, which is one with the run that finishes it', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', null, ada), lead('lead-2', null, ada))
    const fail = `SELECT RAISE(ABORT, 'interrupted')`
    box.connection.raw.run(`CREATE TEMP TRIGGER interruption BEFORE DELETE ON person BEGIN ${fail}; END`)
    await expect(box.erase(ada)).rejects.toThrow('interrupted')
    expect(erasures(box)).toMatchObject([{ records: ['lead-1', 'lead-2'], hasEnded: false }])
    box.connection.raw.run('DROP TRIGGER interruption')
    await box.erase(ada)
    expect(erasures(box)).toMatchObject([{ records: ['lead-1', 'lead-2'], hasEnded: true }])
  })

  test('names nothing that a step which failed would have taken', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', null, ada), lead('lead-2', null, ada))
    const fail = `SELECT RAISE(ABORT, 'interrupted')`
    box.connection.raw.run(
      `CREATE TEMP TRIGGER interruption BEFORE DELETE ON ledger WHEN old.id = 'lead-2' BEGIN ${fail}; END`,
    )
    await expect(box.erase(ada)).rejects.toThrow('interrupted')
    const named = erasures(box).flatMap(({ records }) => records)
    expect(box.ids().filter((id) => named.includes(id))).toEqual([])
    box.connection.raw.run('DROP TRIGGER interruption')
    await box.erase(ada)
    expect(erasures(box)).toMatchObject([{ records: ['lead-1', 'lead-2'], hasEnded: true }])
  })

  test('of somebody who comes back and is erased again is another one', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', null, ada))
    await box.erase(ada)
    box.capture(lead('lead-2', null, ada))
    await box.erase(ada)
    const [first, second, ...others] = erasures(box)
    expect([first, second]).toMatchObject([{ records: ['lead-1'] }, { records: ['lead-2'] }])
    expect(second?.personId).not.toBe(first?.personId)
    expect(others).toEqual([])
  })

  test('takes a release with its submission, and does not name it apart', async () => {
    await using box = new AForgettingBox()
    const refused = lead('refused-1', null, ada)
    box.capture({ ...refused, status: 'refused', refusedFor: 'honeypot' }, released('refused-1', at(9)))
    expect(box.ids()).toEqual(['refused-1', 'refused-1'])
    expect(await box.erase(ada)).toMatchObject({ submissions: 1 })
    expect(erasures(box)).toMatchObject([{ records: ['refused-1'] }])
    expect(box.rows('SELECT id FROM ledger WHERE kind = 5')).toEqual([])
  })

  test('stays when the account goes, and nothing is left to remove of that', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', null, ada), lead('lead-2', null, ben))
    await box.erase(ada)
    await removeAccountRows(box.connection, 1, at(9))
    expect(box.rows('SELECT DISTINCT kind FROM ledger')).toEqual([{ kind: 6 }])
    expect(unfinishedRemovals(box.connection)).toEqual([])
    expect(erasures(box)).toMatchObject([{ accountId: 'account-a', records: ['lead-1'] }])
  })

  test('is in entries of a bounded size, each with its checksum', async () => {
    await using box = new AForgettingBox()
    const taken = Array.from({ length: 2 * erasedIdsMax + 1 }, (_, number) => `lead-${number}`)
    const log = new LoggedErasure(box.connection, systemClock, {
      accountId: 'account-a',
      personId: null,
      of: 'records',
    })
    log.within(() => {
      for (const id of taken) log.note(id)
    })
    log.end()
    expect(allErasures(box.connection.raw).map(({ records, isEnd }) => [records.length, isEnd])).toEqual([
      [erasedIdsMax, false],
      [erasedIdsMax, false],
      [1, false],
      [0, true],
    ])
    expect(erasures(box)).toMatchObject([{ records: taken }])
    box.connection.raw.run(`UPDATE ledger SET record = replace(record, 'lead-7"', 'lead-8"')`)
    expect(erasures(box)[0]?.records).toHaveLength(erasedIdsMax + 1)
  })

  test('holds no address', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', 'device-1', ada))
    await box.erase(ada)
    expect(JSON.stringify(box.rows('SELECT * FROM ledger'))).not.toContain('customer.example')
  })
})
