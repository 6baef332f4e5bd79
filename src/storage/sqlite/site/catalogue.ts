import { and, asc, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { Asset, AssetVersion } from '../../../asset/asset.ts'
import type { Catalogue } from '../../../asset/catalogue.ts'
import { account } from '../account/account-schema.ts'
import type { Connection } from '../database/connection.ts'
import { asset, assetVersion } from './asset-schema.ts'

const versionColumns = {
  number: assetVersion.number,
  sha256: assetVersion.sha256,
  byteCount: assetVersion.byteCount,
  variants: assetVersion.variants,
  state: assetVersion.state,
  publishedAt: assetVersion.publishedAt,
  publishedBy: assetVersion.publishedBy,
}

/** Assets read at a time, in 1 to 2 ms: a site may hold tens of thousands, and requests are answered in between. */
const pageAssets = 200

/** Where a site stands: the state that is read to its end, whatever is published meanwhile. */
interface Standing {
  accountRow: number
  siteRevision: number
}

export class SqliteCatalogue implements Catalogue {
  constructor(private readonly connection: Connection) {}

  async assets(accountId: string): Promise<Asset[]> {
    const standing = this.connection.db
      .select({ accountRow: account.row, siteRevision: account.siteRevision })
      .from(account)
      .where(eq(account.id, accountId))
      .get()
    if (standing === undefined) return []
    const assets: Asset[] = []
    for (;;) {
      const page = this.assetsBehind(assets.at(-1) ?? null, standing)
      assets.push(...page)
      if (page.length < pageAssets) return assets
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  private assetsBehind(last: Asset | null, { accountRow, siteRevision }: Standing): Asset[] {
    return this.connection.db
      .select({ id: asset.id, kind: asset.kind, name: asset.name, current: versionColumns })
      .from(asset)
      .innerJoin(assetVersion, eq(assetVersion.assetId, asset.id))
      .where(
        and(
          eq(asset.accountRow, accountRow),
          last === null ? undefined : sql`(${asset.kind}, ${asset.name}) > (${last.kind}, ${last.name})`,
          lte(assetVersion.fromRevision, siteRevision),
          or(isNull(assetVersion.toRevision), gt(assetVersion.toRevision, siteRevision)),
        ),
      )
      .orderBy(asc(asset.kind), asc(asset.name))
      .limit(pageAssets)
      .all()
  }

  async versions(assetId: string): Promise<AssetVersion[]> {
    return this.connection.db
      .select(versionColumns)
      .from(assetVersion)
      .innerJoin(account, eq(account.row, assetVersion.accountRow))
      .where(and(eq(assetVersion.assetId, assetId), lte(assetVersion.fromRevision, account.siteRevision)))
      .orderBy(desc(assetVersion.number))
      .all()
  }
}
