import { eq } from 'drizzle-orm'
import type { AccountSettings } from '../../../account/account.ts'
import { aimKey, funnelKey } from '../../../account/goal.ts'
import { splitKey } from '../../../account/split.ts'
import { newId } from '../../../lib/id.ts'
import { AtWork, OperatorError } from '../../../lib/operator-error.ts'
import type { SitePublication, SiteStore } from '../../../site/site-store.ts'
import { isHeld, takeFolderLock } from '../../lock/folder-lock.ts'
import { replaceTrackingKeys, sealedSettings } from '../account/account-store.ts'
import { eraseRemovedWaiting, writeDestinations } from '../account/destination-rows.ts'
import { connectedHosts, domainHolder, endReservations, reserveDomains } from '../account/domain-claims.ts'
import { touchAccount } from '../account/revision.ts'
import type { Connection } from '../database/connection.ts'
import { writeInSteps } from '../database/in-steps.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { eachKey, keyPart } from '../lookup/many-keys.ts'
import { account, domain, goalSince } from '../schema/account-schema.ts'
import { keptFolder } from '../schema/site-schema.ts'
import { notePublication } from './publication-log.ts'
import { forgetOldVersions, releaseUnreferenced } from './referenced-hashes.ts'
import {
  AssetStaging,
  clearUnpublished,
  clearUnpublishedFiles,
  forgetEarlierFiles,
  stageKeptFiles,
} from './site-staging.ts'

export class SqliteSiteStore implements SiteStore {
  constructor(
    private readonly connection: Connection,
    private readonly dataDir: string,
  ) {}

  async exclusively<T>(doing: string, work: () => Promise<T>): Promise<T> {
    const lock = takeFolderLock(this.dataDir, 'publish', doing)
    if (!isHeld(lock)) {
      const [who, advice] = ['Somebody else is publishing on this box', 'Try again when that is done.']
      throw new AtWork(`${who}. ${advice}`, `${who} (process ${lock.pid}: ${lock.doing}). ${advice}`)
    }
    try {
      return await work()
    } finally {
      lock.release()
    }
  }

  async publish(publication: SitePublication, onStep: (staged: number) => void): Promise<void> {
    const { row, id, siteRevision } = this.accountFor(publication)
    await clearUnpublished(this.connection, row, siteRevision)
    await clearUnpublishedFiles(this.connection, { row, siteRevision })
    const nextRevision = siteRevision + 1
    const { assets, publishedAt, folder } = publication
    const staging = new AssetStaging(this.connection, { accountRow: row, nextRevision, publishedAt })
    await writeInSteps(this.connection, assets, { write: (asset) => staging.stage(asset), onStep })
    if (folder !== null) await stageKeptFiles(this.connection, { row, siteRevision }, folder.files)
    this.flip(publication, { row, id }, nextRevision)
    await forgetEarlierFiles(this.connection, { row, siteRevision: nextRevision })
    await eraseRemovedWaiting(this.connection)
  }

  forgetOldVersions(now: number): Promise<string[]> {
    return forgetOldVersions(this.connection, now)
  }

  releaseUnreferenced(hashes: string[], remove: (sha256: string) => void): Promise<void> {
    return releaseUnreferenced(this.connection, hashes, remove)
  }

  /** The account's row; a new account's is created here and stays invisible until the flip. */
  private accountFor(publication: SitePublication): {
    row: number
    id: string
    siteRevision: number
  } {
    const { db } = this.connection
    const columns = { row: account.row, id: account.id, siteRevision: account.siteRevision }
    const found = db.select(columns).from(account).where(eq(account.handle, publication.handle)).get()
    if (found) return found
    if (publication.settings === null) throw new Error(`new account ${publication.handle} without settings`)
    const { settings, handle, publishedAt } = publication
    const id = newId()
    return writeTransaction({ db }, () =>
      db
        .insert(account)
        .values({
          id,
          handle,
          settings: sealedSettings(this.connection.raw, id, settings),
          siteRevision: 0,
          changedAtRevision: 0,
          createdAt: publishedAt,
        })
        .returning(columns)
        .get(),
    )
  }

  /** The one short transaction that makes everything visible. */
  private flip(publication: SitePublication, { row, id }: { row: number; id: string }, nextRevision: number): void {
    const { db, raw } = this.connection
    const { settings, publishedAt, folder, note } = publication
    const forms = formChanges(publication)
    writeTransaction({ db }, () => {
      if (settings !== null) {
        this.connectDomains(row, settings.domains, publishedAt)
        db.update(account)
          .set({ settings: sealedSettings(raw, id, settings) })
          .where(eq(account.row, row))
          .run()
        keepGoals(this.connection, row, { ...settings, now: publishedAt })
      }
      writeForms(this.connection, row, forms)
      writeDestinations(this.connection, { row, id }, publication)
      const fingerprint = publication.trackingKeyFingerprint
      if (fingerprint !== null) {
        replaceTrackingKeys(this.connection, { accountRow: row, fingerprint, oldValidUntil: null, now: publishedAt })
      }
      if (folder !== null) this.keepSiteToml(row, folder.siteToml)
      if (note !== null) notePublication(this.connection, row, { ...note, at: publishedAt })
      db.update(account).set({ siteRevision: nextRevision }).where(eq(account.row, row)).run()
      touchAccount(this.connection, row)
    })
  }

  private keepSiteToml(accountRow: number, siteToml: string): void {
    this.connection.db
      .insert(keptFolder)
      .values({ accountRow, siteToml })
      .onConflictDoUpdate({ target: keptFolder.accountRow, set: { siteToml } })
      .run()
  }

  private connectDomains(row: number, hosts: string[], now: number): void {
    const { db } = this.connection
    const dropped = connectedHosts({ db }, row).filter((host) => !hosts.includes(host))
    reserveDomains({ db }, { accountRow: row, hosts: dropped, now })
    db.delete(domain).where(eq(domain.accountRow, row)).run()
    for (const host of hosts) {
      const holder = domainHolder(this.connection, host)
      if (holder !== null) throw new OperatorError(`The domain ${host} belongs to the account "${holder}".`)
      db.insert(domain).values({ host, accountRow: row }).run()
    }
    endReservations({ db }, hosts)
  }
}

/** Notes since when each goal, funnel and split of the account is counted: the first time that it was applied. Call in a transaction. */
function keepGoals(
  { db }: Pick<Connection, 'db'>,
  accountRow: number,
  { goals, funnels, splits, now: since }: Pick<AccountSettings, 'goals' | 'funnels' | 'splits'> & { now: number },
): void {
  const keys = [
    ...goals.map(({ aim }) => aimKey(aim)),
    ...funnels.map(funnelKey),
    ...splits.map(({ page }) => splitKey(page)),
  ]
  for (const key of keys) db.insert(goalSince).values({ accountRow, key, since }).onConflictDoNothing().run()
}

/** One publication's forms, ready to be written. */
interface FormChanges {
  /** JSON, as one parameter: `[[id, definition], …]`. */
  written: string
  /** JSON: `[id, …]`. */
  withdrawn: string
  createdAt: number
}

/** The part that needs no write lock. */
const formChanges = ({ forms, withdrawnForms, publishedAt }: SitePublication): FormChanges => ({
  written: JSON.stringify(forms.map(({ id, ...definition }) => [id, JSON.stringify(definition)])),
  withdrawn: JSON.stringify(withdrawnForms),
  createdAt: publishedAt,
})

/** Two statements, however many forms there are: a site may have 1,000. Call inside the publishing transaction. */
function writeForms({ raw }: Connection, accountRow: number, changes: FormChanges): void {
  raw
    .query<null, [string, number, number]>(
      `INSERT INTO form (account_row, id, version, definition, withdrawn, created_at)
       SELECT ?2, ${keyPart(0)},
         (SELECT coalesce(max(version), 0) + 1 FROM form WHERE account_row = ?2 AND id = ${keyPart(0)}),
         ${keyPart(1)}, 0, ?3
       ${eachKey}`,
    )
    .run(changes.written, accountRow, changes.createdAt)
  raw
    .query<null, [number, string]>(
      'UPDATE form SET withdrawn = 1 WHERE account_row = ? AND id IN (SELECT value FROM json_each(?))',
    )
    .run(accountRow, changes.withdrawn)
}
