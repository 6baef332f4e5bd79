// Where a record cannot be read any more, an erasure goes on to its end all the same.
import { describe, expect, test } from 'bun:test'
import { pageView, source, submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const at = (minute: number): number => Date.UTC(2026, 10, 20, 9, minute)
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const view = (id: string, minute: number) => pageView({ id, receivedAt: at(minute), source: browser })
const lead = (id: string, minute: number, email: string | null) =>
  submission({ id, receivedAt: at(minute), email, fields: { id } })

const damage = (box: AForgettingBox, id: string, record: string) =>
  box.connection.raw.run('UPDATE ledger SET record = ? WHERE id = ?', [record, id])

test('a damaged submission goes with whom it was known as', async () => {
  await using box = new AForgettingBox()
  box.capture(lead('of-ada', 1, ada), lead('of-nobody', 2, null), lead('of-ben', 3, ben), lead('after', 4, ada))
  for (const id of ['of-ada', 'of-nobody', 'of-ben']) damage(box, id, '{')
  expect(await box.erase(ada)).toMatchObject({ submissions: 3, verified: true })
  expect(box.ids()).toEqual(['of-ben'])
  expect(box.rows<{ email: string }>('SELECT email FROM person')).toEqual([{ email: ben }])
})

test.each(['{', '[]'])('a damaged view (%s) of another person’s keeps what it was counted as', async (record) => {
  await using box = new AForgettingBox()
  box.capture(view('view-1', 1), lead('of-ada', 2, ada), lead('of-ben', 3, ben), view('view-2', 4), view('view-3', 5))
  damage(box, 'view-2', record)
  await box.erase(ada)
  expect(box.ids()).toEqual(['of-ben', 'view-2', 'view-3'])
  const views = `SELECT sum(count) AS n FROM day_figure WHERE measure = 'view'`
  expect(box.rows<{ n: number }>(views)).toEqual([{ n: 2 }])
})

/** A record of which the end is missing: no parser takes it. */
const broken = (fields: object, said: { email?: string | null; deviceId?: string } = {}) => {
  const { email = null, deviceId } = said
  const own = JSON.stringify({ source: browser, formId: 'contact1', refusedFor: null, email, deviceId, fields })
  return own.slice(0, -2)
}

describe('of records that cannot be read any more, an erasure takes', () => {
  /** One that was broken before it was processed, so that nothing is known of it but its text. */
  async function erased(record: string, ...before: Parameters<AForgettingBox['capture']>): Promise<boolean> {
    await using box = new AForgettingBox()
    box.capture(...before, lead('broken', 9, null))
    box.connection.raw.run(`UPDATE submission_fact SET person_row = NULL, device_row = NULL WHERE id = 'broken'`)
    damage(box, 'broken', record)
    await box.erase(ada)
    return !box.ids().includes('broken')
  }

  test.each([
    ['as a field', broken({ email: ada })],
    ['in a message', broken({ message: `please write to <${ada}>, thank you` })],
    ['at the beginning of a line', broken({ message: `write to\n${ada}` })],
    ['behind a sign that JSON writes as its number', broken({ message: 'to\u0001' + ada })],
    ['in an address of a page', broken({ url: `https://x.example/?mail=${encodeURIComponent(ada)}&a=1` })],
    ['between encoded spaces', broken({ url: `?q=to%20${ada}%20now` })],
    ['in capitals', broken({ email: ada.toUpperCase() })],
  ])('one that holds the address %s', async (_, record) => {
    expect(await erased(record)).toBe(true)
  })

  test.each([
    ['ends with it', broken({ email: `n${ada}` })],
    ['goes on behind it', broken({ email: `${ada}.org` })],
    ['goes on behind it, percent-encoded', broken({ url: `?mail=${ada}%2Eorg` })],
    ['ends with it, as JSON writes a letter', broken({ email: 'x' }).replace('"x', `"\\u006e${ada}`)],
    ['ends with it behind a backslash', broken({ path: `C:\\n${ada}` })],
  ])('none of an address that %s', async (_, record) => {
    expect(await erased(record)).toBe(false)
  })

  test('none that still says that somebody else sent it', async () => {
    expect(await erased(broken({ message: `tell ${ada}` }, { email: ben }))).toBe(false)
  })

  test('none from a device that is somebody else’s', async () => {
    const record = broken({ message: `tell ${ada}` }, { deviceId: 'device-b' })
    const benOnHis = submission({ id: 'of-ben', receivedAt: at(1), email: ben, deviceId: 'device-b', fields: {} })
    expect(await erased(record, benOnHis)).toBe(false)
  })
})

test('a damaged submission that was known as another person’s stays, and the receipt names it', async () => {
  await using box = new AForgettingBox()
  box.capture(lead('of-ben', 1, ben))
  damage(box, 'of-ben', `{"fields":{"message":"tell ${ada}`)
  expect(await box.erase(ada)).toMatchObject({ submissions: 0, mentionedIn: ['of-ben'] })
  expect(box.ids()).toEqual(['of-ben'])
})
