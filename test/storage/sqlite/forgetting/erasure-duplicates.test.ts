// docs/privacy.md, "Erasing a person": what repeated an erased person's submission counts as if that had never been there.
import { describe, expect, test } from 'bun:test'
import { pageView, released, source, submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const at = (minute: number): number => Date.UTC(2026, 10, 20, 9, minute)
const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const of = (id: string, minute: number) => ({ id, deviceId: 'device-1', receivedAt: at(minute) })
const lead = (id: string, minute: number, email: string) =>
  submission({ ...of(id, minute), email, fields: { email, id } })
/** Says the same each time, and names nobody. */
const hello = (minute: number) =>
  submission({ ...of(`hello-${minute}`, minute), email: null, fields: { message: 'Hello' } })

const told = `
  SELECT id, duplicate_of AS of, lead_source AS source FROM submission_fact
  WHERE id LIKE 'hello%' ORDER BY received_at`
const figures = `
  SELECT measure, name, count FROM day_figure WHERE measure IN ('lead', 'lead_source', 'duplicate')
  ORDER BY measure, name`

describe('after the erasure of a submission that others repeat', () => {
  test('the first of those that are left is a lead, counted for its own source, and the others repeat it', async () => {
    await using box = new AForgettingBox()
    box.capture(
      lead('ada-1', 0, ada),
      hello(1),
      lead('ben-1', 2, ben),
      pageView({ ...of('view-1', 3), source: browser, attribution: { utm_source: 'paper' } }),
      hello(4),
      hello(13),
    )
    expect(box.rows(told)).toEqual([
      { id: 'hello-1', of: null, source: 'unknown' },
      { id: 'hello-4', of: 'hello-1', source: null },
      { id: 'hello-13', of: 'hello-1', source: null },
    ])
    await box.erase(ada)
    expect(box.rows(told)).toEqual([
      { id: 'hello-4', of: null, source: 'paper' },
      { id: 'hello-13', of: 'hello-4', source: null },
    ])
    expect(box.rows(figures)).toEqual([
      { measure: 'duplicate', name: 'contact1', count: 1 },
      { measure: 'lead', name: 'contact1', count: 2 },
      { measure: 'lead_source', name: 'paper', count: 1 },
      { measure: 'lead_source', name: 'unknown', count: 1 },
    ])
  })

  test('one that only an erased submission tied to the first is a lead of its own', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('ben-1', 0, ben), hello(1), lead('ada-1', 2, ada), hello(9), lead('ben-2', 10, ben), hello(17))
    await box.erase(ada)
    expect(box.rows(told)).toMatchObject([
      { id: 'hello-1', of: null },
      { id: 'hello-17', of: null },
    ])
  })

  test('one that was released goes on repeating what it repeated', async () => {
    await using box = new AForgettingBox()
    const refused = submission({ ...hello(3), status: 'refused', refusedFor: 'honeypot' })
    box.capture(lead('ada-1', 0, ada), hello(1), lead('ben-1', 2, ben), refused, hello(5))
    box.capture(released('hello-3', at(30)))
    await box.erase(ada)
    expect(box.rows(told)).toMatchObject([
      { id: 'hello-3', of: 'hello-5' },
      { id: 'hello-5', of: null },
    ])
  })

  test('one whose first had expired before goes on repeating that: it stays counted', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('ben-1', 0, ben), hello(1), lead('ada-1', 2, ada), hello(3), lead('ben-2', 4, ben), hello(5))
    const leads = () => box.rows(`SELECT count FROM day_figure WHERE measure = 'lead'`)
    expect(leads()).toEqual([{ count: 4 }])
    for (const table of ['ledger', 'submission_fact'])
      box.connection.raw.run(`DELETE FROM ${table} WHERE id = 'hello-1'`)
    await box.erase(ada)
    expect(box.rows(told)).toMatchObject([{ id: 'hello-5', of: 'hello-1' }])
    expect(leads()).toEqual([{ count: 3 }])
  })

  test('it is told so though the erasure was broken off before the records went', async () => {
    await using box = new AForgettingBox()
    box.capture(lead('ada-1', 0, ada), hello(1), lead('ben-1', 2, ben), hello(3))
    box.connection.raw.run(`CREATE TRIGGER broken BEFORE DELETE ON ledger BEGIN SELECT raise(ABORT, 'broken off'); END`)
    await expect(box.erase(ada)).rejects.toThrow('broken off')
    box.connection.raw.run('DROP TRIGGER broken')
    await box.erase(ada)
    expect(box.rows(told)).toEqual([{ id: 'hello-3', of: null, source: 'unknown' }])
    expect(box.rows(`SELECT count FROM day_figure WHERE measure = 'lead'`)).toEqual([{ count: 2 }])
  })
})
