// Boxes from before the base of a device said up to when its hits have expired (docs/decisions/0046).
import { expect, test } from 'bun:test'
import { readMigrations } from '../../../../src/storage/sqlite/database/migration-files.ts'
import { pageView, source, submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const at = (minute: number): number => Date.UTC(2026, 10, 20, 9, minute)
const ada = 'ada@customer.example'
const ben = 'ben@customer.example'
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const lead = (id: string, minute: number, email: string) =>
  submission({ id, receivedAt: at(minute), email, fields: { email, id } })

const expiredAt = 'SELECT id, expired_at AS expiredAt FROM device ORDER BY id'

test('a touch and a page that had expired before an upgrade stay those of a submission when somebody else is erased', async () => {
  await using box = new AForgettingBox()
  const view = pageView({ id: 'ben-2', receivedAt: at(2), source: browser, attribution: { utm_source: 'paper' } })
  box.capture(
    lead('ben-1', 1, ben),
    view,
    lead('ben-3', 3, ben),
    lead('ada-1', 4, ada),
    pageView({ id: 'view-2', receivedAt: at(5), source: browser, deviceId: 'device-2' }),
  )
  box.expire(at(3))
  box.connection.raw.run('UPDATE device SET expired_at = NULL, expired_hit_at = NULL')
  const isUpdate = (statement: string) => statement.startsWith('UPDATE `device` SET `expired_at`')
  const updates = readMigrations().flatMap(({ statements }) => statements.map((text) => text.trim()).filter(isUpdate))
  expect(updates).toHaveLength(2)
  for (const update of updates) box.connection.raw.run(update)
  expect(box.rows(expiredAt)).toEqual([
    { id: 'device-1', expiredAt: at(2) },
    { id: 'device-2', expiredAt: null },
  ])
  await box.erase(ada)
  expect(box.rows(`SELECT lead_source AS source, page_slug AS slug FROM submission_fact WHERE id = 'ben-3'`)).toEqual([
    { source: 'paper', slug: 'launch' },
  ])
})
