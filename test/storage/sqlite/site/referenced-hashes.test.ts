// The bytes that are kept, backed up and looked for: of kept versions, and of pages that a submission's receipt names.

import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { referencedHashes, unreferenced } from '../../../../src/storage/sqlite/site/referenced-hashes.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

/** More than are read at once. */
const hashCount = 1200

const hashOf = (number: number) => new Bun.CryptoHasher('sha256').update(String(number)).digest('hex')

function addVersion(database: Database, number: number): void {
  database.run(`INSERT INTO asset (id, account_row, kind, name) VALUES (?, 1, 'page', ?)`, [`p${number}`, `p${number}`])
  database.run(
    `INSERT INTO asset_version (asset_id, number, account_row, sha256, byte_count, variants, state, published_at, published_by, from_revision)
     VALUES (?, 1, 1, ?, 1, '[]', 'live', 0, 'apply', 1)`,
    [`p${number}`, hashOf(number)],
  )
}

function addSubmission(database: Database, sequence: number, pageOf: number | null): void {
  database.run(
    `INSERT INTO submission_fact (sequence, account_row, id, form_id, received_at, status, page_slug, page_sha256)
     VALUES (?, 1, ?, 'contact1', 0, 'accepted', ?, ?)`,
    [sequence, `s${sequence}`, pageOf === null ? null : 'launch', pageOf === null ? null : hashOf(pageOf)],
  )
}

test('each hash is named once, in order, whether versions name it, submissions, or both', async () => {
  await using temporary = new TemporaryDatabase()
  temporary.addAccount('account-a')
  const connection = temporary.connect()
  connection.raw.transaction(() => {
    for (let number = 0; number < hashCount; number++) {
      if (number % 3 !== 0) addVersion(connection.raw, number)
      if (number % 2 === 0 || number % 3 === 0) addSubmission(connection.raw, 2 * number, number)
      addSubmission(connection.raw, 2 * number + 1, number % 3 === 0 ? number : null)
    }
  })()
  const all = Array.from({ length: hashCount }, (_, number) => hashOf(number))
  expect([...referencedHashes(connection)]).toEqual(all.sort())
})

test('a hash is referenced as long as a version or a submission names it', async () => {
  await using temporary = new TemporaryDatabase()
  temporary.addAccount('account-a')
  const connection = temporary.connect()
  addVersion(connection.raw, 1)
  addSubmission(connection.raw, 1, 2)
  expect(unreferenced(connection, [1, 2, 3].map(hashOf))).toEqual([hashOf(3)])
  connection.raw.run('DELETE FROM submission_fact')
  expect(unreferenced(connection, [1, 2].map(hashOf))).toEqual([hashOf(2)])
})
