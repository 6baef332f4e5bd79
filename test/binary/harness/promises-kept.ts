import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import type { BinaryBox } from './binary-box.ts'
import type { Acknowledged } from './load.ts'

/** Everything acknowledged is found in the exports, nothing twice, and every batch whole or not at all. */
export async function expectPromisesKept(box: BinaryBox, acknowledged: Acknowledged): Promise<void> {
  const submissionIds = (await box.submissions()).map(({ submissionId }) => submissionId)
  expect(missing(acknowledged.submissionIds, submissionIds)).toEqual([])
  expect(repeated(submissionIds)).toEqual([])

  const events = await box.events()
  expect(repeated(events.map(({ eventId }) => eventId))).toEqual([])
  const stored = counts(
    events.flatMap(({ properties }) => (typeof properties.marker === 'string' ? [properties.marker] : [])),
  )
  const wrong = [...acknowledged.batches].filter(([marker, accepted]) => stored.get(marker) !== accepted)
  expect(wrong).toEqual([])
  const sizes = new Set(acknowledged.batches.values())
  expect([...stored].filter(([, size]) => !sizes.has(size))).toEqual([])

  const clicked = events.filter(({ event }) => event === '$click').map(({ deviceId }) => deviceId)
  expect(missing(acknowledged.clickDeviceIds, clicked)).toEqual([])
  expect(repeated(clicked)).toEqual([])
}

/** SQLite finds no fault in the database. */
export function expectIntact({ databaseFile }: BinaryBox): void {
  using database = new Database(databaseFile, { readonly: true, strict: true })
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
}

const missing = (wanted: string[], there: string[]): string[] => {
  const known = new Set(there)
  return wanted.filter((id) => !known.has(id))
}

const repeated = (ids: string[]): string[] => [...counts(ids)].flatMap(([id, count]) => (count > 1 ? [id] : []))

function counts(ids: string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const id of ids) found.set(id, (found.get(id) ?? 0) + 1)
  return found
}
