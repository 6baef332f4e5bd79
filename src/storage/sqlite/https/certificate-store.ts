import { and, asc, eq, getTableColumns, inArray, isNull, lt } from 'drizzle-orm'
import type { PairText } from '../../../https/certificate-pair.ts'
import type { CertificateStore, IssuedCertificate, KeptAccount } from '../../../https/certificate-store.ts'
import type { KeptCertificate, KeptName, RenewalChoice } from '../../../https/kept-name.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { acmeAccount, certificate, certificateOrder, httpsName } from '../schema/certificate-schema.ts'
import { sealOf } from '../seal/box-seal.ts'

type NameRow = typeof httpsName.$inferSelect
type CertificateRow = Omit<typeof certificate.$inferSelect, 'chain' | 'key'>

/** A certificate without its private key, which only listeners may have. */
const { chain: _chain, key: _key, ...publicColumns } = getTableColumns(certificate)

export class SqliteCertificateStore implements CertificateStore {
  constructor(private readonly connection: Connection) {}

  async names(): Promise<KeptName[]> {
    return this.selectNames().orderBy(asc(httpsName.host)).all().map(keptName)
  }

  async name(host: string): Promise<KeptName | null> {
    const row = this.selectNames().where(eq(httpsName.host, host)).get()
    return row === undefined ? null : keptName(row)
  }

  async tryNow(host: string, now: number): Promise<boolean> {
    const isWaiting = and(
      eq(httpsName.host, host),
      inArray(httpsName.state, ['waiting', 'failing']),
      isNull(httpsName.removedAt),
    )
    const change = { nextTryAt: now, decidedAt: now, looks: 0 }
    const { db } = this.connection
    return db.update(httpsName).set(change).where(isWaiting).returning({ host: httpsName.host }).all().length > 0
  }

  async keepNames(names: readonly KeptName[]): Promise<void> {
    writeTransaction(this.connection, () => {
      for (const name of names) this.writeName(name)
    })
  }

  async keepCertificate({ name, certificate: issued, pair, orderId }: IssuedCertificate): Promise<void> {
    writeTransaction(this.connection, () => {
      const { db, raw } = this.connection
      const key = sealOf(raw).seal('certificateKey', name.host, pair.key)
      const row = { ...certificateRow(issued), chain: pair.certificate, key }
      db.insert(certificate)
        .values({ host: name.host, ...row })
        .onConflictDoUpdate({ target: certificate.host, set: row })
        .run()
      db.update(certificateOrder).set({ outcome: 'issued' }).where(eq(certificateOrder.id, orderId)).run()
      this.writeName(name)
    })
  }

  async keepRenewal(host: string, renewAt: number, renewal: RenewalChoice): Promise<void> {
    const { db } = this.connection
    db.update(certificate)
      .set({ renewAt, ...renewalRow(renewal) })
      .where(eq(certificate.host, host))
      .run()
  }

  async eraseRemoved(before: number): Promise<string[]> {
    return writeTransaction(this.connection, () => {
      const { db } = this.connection
      const isOld = lt(httpsName.removedAt, before)
      const hosts = db
        .delete(httpsName)
        .where(isOld)
        .returning({ host: httpsName.host })
        .all()
        .map(({ host }) => host)
      for (const host of hosts) db.delete(certificate).where(eq(certificate.host, host)).run()
      return hosts
    })
  }

  async read(host: string): Promise<PairText | null> {
    const { db, raw } = this.connection
    const columns = { certificate: certificate.chain, key: certificate.key }
    const found = db.select(columns).from(certificate).where(eq(certificate.host, host)).get()
    return found === undefined ? null : { ...found, key: sealOf(raw).open('certificateKey', host, found.key) }
  }

  async account(directory: string): Promise<KeptAccount | null> {
    const { db, raw } = this.connection
    const columns = { key: acmeAccount.key, url: acmeAccount.url }
    const found = db.select(columns).from(acmeAccount).where(eq(acmeAccount.directory, directory)).get()
    return found === undefined ? null : { ...found, key: sealOf(raw).open('authorityAccountKey', directory, found.key) }
  }

  async keepAccount(directory: string, account: KeptAccount): Promise<void> {
    writeTransaction(this.connection, () => {
      const { db, raw } = this.connection
      const row = { ...account, key: sealOf(raw).seal('authorityAccountKey', directory, account.key) }
      db.insert(acmeAccount)
        .values({ directory, ...row })
        .onConflictDoUpdate({ target: acmeAccount.directory, set: row })
        .run()
    })
  }

  private selectNames() {
    const { db } = this.connection
    const columns = { name: httpsName, certificate: publicColumns }
    return db.select(columns).from(httpsName).leftJoin(certificate, eq(certificate.host, httpsName.host)).$dynamic()
  }

  private writeName({ certificate: _, ...row }: KeptName): void {
    const { db } = this.connection
    db.insert(httpsName).values(row).onConflictDoUpdate({ target: httpsName.host, set: row }).run()
  }
}

function keptName(row: { name: NameRow; certificate: CertificateRow | null }): KeptName {
  return { ...row.name, certificate: row.certificate === null ? null : keptCertificate(row.certificate) }
}

function keptCertificate({ host: _, windowStart, windowEnd, askAt, ...row }: CertificateRow): KeptCertificate {
  const window = windowStart === null || windowEnd === null ? null : { startMs: windowStart, endMs: windowEnd }
  return { ...row, renewal: { window, askAt } }
}

const certificateRow = ({ renewal, ...row }: KeptCertificate) => ({ ...row, ...renewalRow(renewal) })

const renewalRow = ({ window, askAt }: RenewalChoice) => ({
  windowStart: window?.startMs ?? null,
  windowEnd: window?.endMs ?? null,
  askAt,
})
