import { expect, test } from 'bun:test'
import {
  SqliteCertificateStore,
  SqliteOrderLog,
  StoredPairs,
} from '../../../../src/storage/sqlite/https/certificate-store.ts'
import { aCertificate, issue } from '../../../contract/certificate-store.ts'
import { TemporaryDatabase } from '../temporary-database.ts'

test('a listener hears once of each certificate that came into the database, whoever wrote it', async () => {
  await using database = new TemporaryDatabase()
  const connection = database.connect()
  const stores = { certificates: new SqliteCertificateStore(connection), orders: new SqliteOrderLog(connection) }
  await issue(stores, 'go.acme.dev')
  const listener = new StoredPairs(database.file)
  database.onClose(() => listener.close())
  // Those have been read already.
  expect(listener.news()).toEqual([])
  await issue(stores, 'go.acme.dev', { certificate: aCertificate({ serial: '0a1c' }) })
  await issue(stores, 'www.acme.dev')
  expect(listener.news().toSorted((one, other) => (one.host < other.host ? -1 : 1))).toEqual([
    { host: 'go.acme.dev', isRenewal: true },
    { host: 'www.acme.dev', isRenewal: false },
  ])
  expect(listener.news()).toEqual([])
})
