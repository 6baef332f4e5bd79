import { expect, test } from 'bun:test'
import { canonicalJson } from '../../../../src/lib/canonical-json.ts'
import { readMigrations } from '../../../../src/storage/sqlite/database/migration-files.ts'
import { anonymous, ProcessedLedger, sent } from '../../../processing/submissions/processed-ledger.ts'

/** The step that leads each fingerprint with its sender's row. */
function fingerprintUpdate(): string {
  const isUpdate = (statement: string) => statement.includes('UPDATE `submission_fact` SET `fingerprint`')
  return readMigrations()
    .flatMap(({ statements }) => statements)
    .find(isUpdate) as string
}

test('a submission that an earlier version kept is repeated by one that comes after the upgrade', async () => {
  const [named, nameless] = [sent(0), anonymous(0, { id: 'nameless' })]
  await using ledger = new ProcessedLedger(named, nameless)
  const { raw } = ledger.connection
  const keepAsBefore = raw.query('UPDATE submission_fact SET fingerprint = ? WHERE id = ?')
  for (const { id, formId, email, deviceId, fields } of [named, nameless]) {
    const text = canonicalJson([formId, email === null ? deviceId : null, fields])
    keepAsBefore.run(Bun.SHA256.hash(text, 'hex'), id)
  }
  raw.run(fingerprintUpdate())
  ledger.capture(sent(1), anonymous(2))
  expect(ledger.duplicates()).toEqual({ 'at-1': 'at-0', 'at-2': 'nameless' })
})
