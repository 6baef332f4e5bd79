import { and, asc, desc, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { Asset, AssetVersion } from '../../asset/asset.ts'
import type { Catalogue } from '../../asset/catalogue.ts'
import type { Connection } from './connection.ts'
import { account, asset, assetVersion } from './schema.ts'

const versionColumns = {
  number: assetVersion.number,
  sha256: assetVersion.sha256,
  byteCount: assetVersion.byteCount,
  variants: assetVersion.variants,
  state: assetVersion.state,
  publishedAt: assetVersion.publishedAt,
  publishedBy: assetVersion.publishedBy,
}

export class SqliteCatalogue implements Catalogue {
  constructor(private readonly connection: Connection) {}

  async assets(accountId: string): Promise<Asset[]> {
    return this.connection.db
      .select({
        id: asset.id,
        kind: asset.kind,
        name: asset.name,
        current: versionColumns,
      })
      .from(assetVersion)
      .innerJoin(account, eq(account.row, assetVersion.accountRow))
      .innerJoin(asset, eq(asset.id, assetVersion.assetId))
      .where(
        and(
          eq(account.id, accountId),
          lte(assetVersion.fromRevision, account.siteRevision),
          or(isNull(assetVersion.toRevision), gt(assetVersion.toRevision, account.siteRevision)),
        ),
      )
      .orderBy(asc(asset.kind), asc(asset.name))
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
