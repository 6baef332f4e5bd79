import { and, desc, eq, lte } from 'drizzle-orm'
import type { Asset, AssetVersion } from '../../../asset/asset.ts'
import type { Catalogue } from '../../../asset/catalogue.ts'
import type { Connection } from '../database/connection.ts'
import { ofOneAccount, storedJson } from '../database/damage.ts'
import { andThen, forEachKey, wholeKey } from '../lookup/many-keys.ts'
import { account } from '../schema/account-schema.ts'
import { assetVersion } from '../schema/site-schema.ts'

const versionColumns = {
  number: assetVersion.number,
  sha256: assetVersion.sha256,
  byteCount: assetVersion.byteCount,
  variants: assetVersion.variants,
  state: assetVersion.state,
  liveFrom: assetVersion.liveFrom,
  liveUntil: assetVersion.liveUntil,
  publishedAt: assetVersion.publishedAt,
  publishedBy: assetVersion.publishedBy,
}

/** Assets read at a time, in 1 to 2 ms: a site may have tens of thousands, and requests are answered in between. */
const pageAssets = 200

/** The state of a site, read to its end whatever is published meanwhile. */
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
    try {
      return this.connection.raw
        .query<AssetRow, [number, string, string, number]>(assetsQuery)
        .all(accountRow, last?.kind ?? '', last?.name ?? '', siteRevision)
        .map(({ id, kind, name, variants, ...version }) => ({
          id,
          kind,
          name,
          current: { ...version, variants: storedJson(variants) },
        }))
    } catch (error) {
      throw ofOneAccount(error)
    }
  }

  async lastSeen(assetIds: readonly string[], now: number): Promise<Map<string, number>> {
    const rows = this.connection.raw
      .query<{ id: string; at: number }, [string, number]>(lastSeenQuery)
      .all(JSON.stringify(assetIds), now)
    return new Map(rows.map(({ id, at }) => [id, at]))
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

const lastSeenQuery = `SELECT asset_id AS id, max(published_at) AS at ${forEachKey('asset_version')} ON asset_id = ${wholeKey}
  ${andThen('account')} ON account.row = asset_version.account_row
  WHERE state = 'live' AND (live_from IS NULL OR live_from <= min(?2, coalesce(superseded_at, ?2))) AND from_revision <= site_revision GROUP BY asset_id`

type AssetRow = Pick<Asset, 'id' | 'kind' | 'name'> & Omit<AssetVersion, 'variants'> & { variants: string }

/**
 * After a kind and name, with the version that visitors of the site revision see. A row comparison searches the key.
 */
const assetsQuery = `
  SELECT asset.id, kind, name, number, sha256, byte_count AS byteCount, variants, state,
    live_from AS liveFrom, live_until AS liveUntil, published_at AS publishedAt, published_by AS publishedBy
  FROM asset JOIN asset_version ON asset_id = asset.id
  WHERE asset.account_row = ?1 AND (kind, name) > (?2, ?3)
    AND from_revision <= ?4 AND (to_revision IS NULL OR to_revision > ?4)
  ORDER BY kind, name LIMIT ${pageAssets}`
