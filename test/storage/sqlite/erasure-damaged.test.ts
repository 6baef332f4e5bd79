// Contract section 8, where a record cannot be read any more: an erasure goes on to its end all the same.
import { expect, test } from 'bun:test'
import { pageView, source, submission } from '../../report/sample-entries.ts'
import { AForgettingBox } from './a-forgetting-box.ts'

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
