import type { PublishedName } from '../../../operations/asset/damaged-assets.ts'
import type { Connection } from '../database/connection.ts'

/** What has these bytes now or had them in a kept version, at most so many. */
export const publishedAs = ({ raw }: Pick<Connection, 'raw'>, sha256: string, namesMax: number): PublishedName[] =>
  raw
    .query<PublishedName, [string, number]>(
      `SELECT DISTINCT account.handle, asset.kind, asset.name
       FROM asset_version version
       JOIN asset ON asset.id = version.asset_id
       JOIN account ON account.row = version.account_row
       WHERE version.sha256 = ? ORDER BY account.handle, asset.kind, asset.name LIMIT ?`,
    )
    .all(sha256, namesMax)
