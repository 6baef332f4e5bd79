// Contract section 12: an erasure holds in a restore, and names ids, never the address.
import { describe, expect, test } from 'bun:test'
import { submission, trackedEvent } from '../../report/sample-entries.ts'
import { AForgettingBox } from './a-forgetting-box.ts'

const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const at = (minute: number): number => Date.UTC(2026, 10, 20, 9, minute)
const lead = (id: string, deviceId: string | null, email: string | null) =>
  submission({ id, deviceId, receivedAt: at(1), email, fields: { email } })

const erasures = (box: AForgettingBox) =>
  box.rows<{ account_id: string; person_id: string | null; ended_at: number | null }>('SELECT * FROM erasure')
const recordIds = (box: AForgettingBox): string[] =>
  box.rows<{ record_id: string }>('SELECT record_id FROM erased_record ORDER BY sequence').map((row) => row.record_id)

describe('the log of erasures', () => {
  test('keeps the account, the person’s id and every record that was taken, refused ones too', async () => {
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
    expect(erasures(box)).toMatchObject([{ account_id: 'account-a', person_id: person?.id }])
    expect(erasures(box)[0]?.ended_at).not.toBeNull()
    expect(recordIds(box)).toEqual(['lead-1', 'event-1', 'refused-1'])
  })

  test('keeps an erasure of somebody who is known by refused records alone', async () => {
    await using box = new AForgettingBox()
    box.capture(submission({ id: 'refused-1', deviceId: null, email: ada, status: 'refused', refusedFor: 'honeypot' }))
    await box.erase(ada)
    expect(erasures(box)).toMatchObject([{ person_id: null }])
    expect(recordIds(box)).toEqual(['refused-1'])
  })

  test('says nothing of an address by which nobody was known', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', null, ben))
    await box.erase(ada)
    expect(erasures(box)).toEqual([])
  })

  test('has what an interrupted erasure took, and is one erasure with the run that finishes it', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', null, ada), lead('lead-2', null, ada))
    const fail = `SELECT RAISE(ABORT, 'interrupted')`
    box.connection.raw.run(`CREATE TEMP TRIGGER interruption BEFORE DELETE ON person BEGIN ${fail}; END`)
    await expect(box.erase(ada)).rejects.toThrow('interrupted')
    expect(erasures(box)).toMatchObject([{ ended_at: null }])
    expect(recordIds(box)).toEqual(['lead-1', 'lead-2'])
    box.connection.raw.run('DROP TRIGGER interruption')
    await box.erase(ada)
    expect(erasures(box)).toHaveLength(1)
    expect(erasures(box)[0]?.ended_at).not.toBeNull()
  })

  test('holds no address', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('lead-1', 'device-1', ada))
    await box.erase(ada)
    expect(JSON.stringify([erasures(box), box.rows('SELECT * FROM erased_record')])).not.toContain('ada')
  })
})
