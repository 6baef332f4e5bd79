import { existsSync } from 'node:fs'
import { and, asc, eq, getTableColumns, gt, inArray, isNull, lt, lte, max } from 'drizzle-orm'
import type { PairText } from '../../../https/certificate-pair.ts'
import {
  type CertificateStore,
  type IssuedCertificate,
  type KeptAccount,
  type KeptCertificate,
  type KeptName,
  type KeptOrder,
  type OrderBegun,
  type OrderLog,
  type OrderOutcome,
  ordersKeptMin,
  type RenewalChoice,
} from '../../../https/certificate-store.ts'
import type { CertificateSource } from '../../../https/certificates.ts'
import { type Connection, openReader } from '../database/connection.ts'
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
      const key = sealOf(raw).seal('certificate.key', name.host, pair.key)
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

  /** A certificate whose key is damaged is as none: the keeper, before whose start this is called, orders another. */
  forgetDamaged(): void {
    const { db, raw } = this.connection
    const { host, key } = certificate
    for (const row of db.select({ host, key }).from(certificate).all())
      if (sealOf(raw).openIfSound('certificate.key', row.host, row.key) === null)
        db.delete(certificate).where(eq(host, row.host)).run()
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

  /** A damaged key reads as none, which is a fault of this host alone. */
  async read(host: string): Promise<PairText | null> {
    const { db, raw } = this.connection
    const columns = { certificate: certificate.chain, key: certificate.key }
    const found = db.select(columns).from(certificate).where(eq(certificate.host, host)).get()
    return found === undefined
      ? null
      : { ...found, key: sealOf(raw).openIfSound('certificate.key', host, found.key) ?? '' }
  }

  /** Each host with the serial number of its certificate. */
  serials(): Map<string, string> {
    const { host, serial } = certificate
    const rows = this.connection.db.select({ host, serial }).from(certificate).all()
    return new Map(rows.map((row) => [row.host, row.serial]))
  }

  /** One with a damaged key is as none: the authority makes another. */
  async account(directory: string): Promise<KeptAccount | null> {
    const { db, raw } = this.connection
    const columns = { key: acmeAccount.key, url: acmeAccount.url }
    const found = db.select(columns).from(acmeAccount).where(eq(acmeAccount.directory, directory)).get()
    const key = found === undefined ? null : sealOf(raw).openIfSound('acme_account.key', directory, found.key)
    return found === undefined || key === null ? null : { ...found, key }
  }

  async keepAccount(directory: string, account: KeptAccount): Promise<void> {
    writeTransaction(this.connection, () => {
      const { db, raw } = this.connection
      const row = { ...account, key: sealOf(raw).seal('acme_account.key', directory, account.key) }
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

export class SqliteOrderLog implements OrderLog {
  constructor(private readonly connection: Connection) {}

  async begin(order: OrderBegun): Promise<number> {
    return this.connection.db.insert(certificateOrder).values(order).returning({ id: certificateOrder.id }).get().id
  }

  async end(id: number, outcome: OrderOutcome): Promise<void> {
    this.connection.db.update(certificateOrder).set({ outcome }).where(eq(certificateOrder.id, id)).run()
  }

  async since(instant: number): Promise<KeptOrder[]> {
    const { db } = this.connection
    return db
      .select()
      .from(certificateOrder)
      .where(gt(certificateOrder.beganAt, instant))
      .orderBy(asc(certificateOrder.id))
      .all()
  }

  async tidy(before: number, now: number): Promise<void> {
    const { db } = this.connection
    const latest =
      db
        .select({ id: max(certificateOrder.id) })
        .from(certificateOrder)
        .get()?.id ?? 0
    db.update(certificateOrder).set({ beganAt: now }).where(gt(certificateOrder.beganAt, now)).run()
    db.delete(certificateOrder)
      .where(and(lt(certificateOrder.beganAt, before), lte(certificateOrder.id, latest - ordersKeptMin)))
      .run()
  }
}

/**
 * The certificates of a box that may not be opened yet: a service that takes over from another needs them before it
 * owns the database. Databases of versions without certificates have none.
 */
export class StoredPairs implements CertificateSource {
  private readonly reader: Connection | null
  private readonly store: SqliteCertificateStore | null
  private serials: Map<string, string> | null = null

  constructor(databaseFile: string) {
    this.reader = existsSync(databaseFile) ? openReader(databaseFile) : null
    this.store = this.reader !== null && hasCertificates(this.reader) ? new SqliteCertificateStore(this.reader) : null
  }

  async read(host: string): Promise<PairText | null> {
    return this.store?.read(host) ?? null
  }

  /** Hosts whose certificate is another one than at the last call; none at the first. */
  news(): { host: string; isRenewal: boolean }[] {
    const before = this.serials
    this.serials = this.store?.serials() ?? new Map()
    if (before === null) return []
    const isNew = ([host, serial]: [string, string]): boolean => before.get(host) !== serial
    return [...this.serials].filter(isNew).map(([host]) => ({ host, isRenewal: before.has(host) }))
  }

  close(): void {
    this.reader?.raw.close()
  }
}

const hasCertificates = ({ raw }: Connection): boolean =>
  raw.query(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'certificate'`).get() !== null
