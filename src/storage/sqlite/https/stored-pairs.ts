import { existsSync } from 'node:fs'
import type { PairText } from '../../../https/certificate-pair.ts'
import type { CertificateSource } from '../../../https/certificates.ts'
import { type Connection, openReader } from '../database/connection.ts'
import { SqliteCertificateStore } from './certificate-store.ts'

/**
 * The certificates of a box that may not be opened yet: a service that takes over from another needs them before it
 * owns the database. Databases of versions without certificates have none.
 */
export class StoredPairs implements CertificateSource {
  private readonly reader: Connection | null
  private readonly store: SqliteCertificateStore | null

  constructor(databaseFile: string) {
    this.reader = existsSync(databaseFile) ? openReader(databaseFile) : null
    this.store = this.reader !== null && hasCertificates(this.reader) ? new SqliteCertificateStore(this.reader) : null
  }

  async read(host: string): Promise<PairText | null> {
    return this.store?.read(host) ?? null
  }

  close(): void {
    this.reader?.raw.close()
  }
}

const hasCertificates = ({ raw }: Connection): boolean =>
  raw.query(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'certificate'`).get() !== null
