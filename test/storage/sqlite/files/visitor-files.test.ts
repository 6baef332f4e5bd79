// Contents of visitors' files outlive every record that names them, and no other (docs/files.md, "Where files go").
import { expect, test } from 'bun:test'
import type { VisitorFile } from '../../../../src/ledger/entry.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { SqliteBackupSource } from '../../../../src/storage/sqlite/backup/backup-source.ts'
import { InlineCommitter } from '../../../../src/storage/sqlite/commit/batch-transaction.ts'
import { GroupCommit } from '../../../../src/storage/sqlite/commit/group-commit.ts'
import { SqliteVisitorFiles } from '../../../../src/storage/sqlite/files/visitor-files.ts'
import { EntryRemoval } from '../../../../src/storage/sqlite/forgetting/entry-removal.ts'
import { ProcessedLedger, sent } from '../../../processing/submissions/processed-ledger.ts'
import { pageView } from '../../../report/sample-entries.ts'

const hashOf = (name: string) => Bun.SHA256.hash(name, 'hex')
const fileOf = (name: string): VisitorFile => ({
  ...{ id: name, field: 'cv', name, type: 'pdf', bytes: 1 },
  sha256: hashOf(name),
})
const withFile = (minutes: number, name: string) => sent(minutes, { files: [fileOf(name)] })

function opened(...entries: ConstructorParameters<typeof ProcessedLedger>) {
  const ledger = new ProcessedLedger(...entries)
  const { raw } = ledger.connection
  const files = new SqliteVisitorFiles(
    ledger.connection,
    ledger.database.reader(),
    systemClock,
    new GroupCommit(new InlineCommitter(ledger.database.file, systemClock), systemClock),
  )
  const released = async () => {
    const removed: string[] = []
    await files.releaseLoose((sha256) => removed.push(sha256))
    return removed
  }
  const remove = (id: string) => {
    const { sequence } = raw
      .query<{ sequence: number }, [string]>('SELECT sequence FROM ledger WHERE id = ?')
      .get(id) ?? { sequence: 0 }
    raw.transaction(() => new EntryRemoval(ledger.connection).remove(sequence))()
  }
  /** As if the record's processing had failed. */
  const setAside = (id: string) => {
    raw.run(
      'INSERT INTO set_aside (sequence, account_row, reason, at) SELECT sequence, account_row, ?, 0 FROM ledger WHERE id = ?',
      ['a fault', id],
    )
    raw.run('DELETE FROM submission_file WHERE sequence = (SELECT sequence FROM ledger WHERE id = ?)', [id])
  }
  return { ledger, files, released, remove, setAside }
}

test('the content of a record that was set aside stays with it, and goes with it', async () => {
  const { ledger, files, released, remove, setAside } = opened(withFile(1, 'aside'))
  await using _ledger = ledger
  setAside('at-1')
  await files.loosen([hashOf('aside')])
  expect(await released()).toEqual([])
  remove('at-1')
  expect(await released()).toEqual([hashOf('aside')])
})

test('a content that another record has, processed or not, stays when one goes', async () => {
  const { ledger, released, remove } = opened(withFile(1, 'shared'), withFile(2, 'shared'), withFile(3, 'late'))
  await using _ledger = ledger
  ledger.store(withFile(4, 'late'))
  for (const id of ['at-1', 'at-3']) remove(id)
  expect(await released()).toEqual([])
  remove('at-2')
  expect(await released()).toEqual([hashOf('shared')])
})

test('while thousands of records wait to be processed nothing is removed, and afterwards all that is loose', async () => {
  const { ledger, released, remove } = opened(withFile(1, 'gone'))
  await using _ledger = ledger
  remove('at-1')
  ledger.store(...Array.from({ length: 2001 }, (_, n) => pageView({ id: `view-${n}` })))
  expect(await released()).toEqual([])
  ledger.process()
  expect(await released()).toEqual([hashOf('gone')])
})

test('a backup is told of the file of a record that was set aside when it is processed at last', async () => {
  const { ledger, setAside } = opened(withFile(1, 'first'), withFile(2, 'second'))
  await using _ledger = ledger
  setAside('at-1')
  const source = new SqliteBackupSource(ledger.database.file, () => Promise.reject())
  const { files: before } = source.look('skip')
  ledger.connection.raw.run(
    'INSERT INTO submission_file (sequence, account_row, sha256, bytes) SELECT sequence, account_row, ?, 1 FROM set_aside',
    [hashOf('first')],
  )
  expect(source.look('skip').files).toBeGreaterThan(before)
  expect([...source.fileHashes(before)]).toEqual([hashOf('first')])
  source.close()
})
