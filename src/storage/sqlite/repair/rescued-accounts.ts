import type { Database } from 'bun:sqlite'
import { isId, madeAt } from '../../../lib/id.ts'
import type { AccountWithoutSettings } from '../../../operations/database/repair.ts'
import { rescuedHandle, rescuedSettings } from '../../../site/rescued-settings.ts'
import { accountsByIndex } from '../lookup/readable-rows.ts'

/** In place of settings that cannot be read, until an account gets others. Of a removed account they stay so. */
export const noSettings = '{}'

/**
 * Writes anew the rows of accounts that can be read by indexes alone: without its row, no record of an account could be kept. All
 * other tables must be there.
 *
 * @returns how many
 */
export function rescueRows(from: Database, to: Database): number {
  const there = new Set(to.query('SELECT row FROM account').values().flat())
  const handles = new Map(accountsByIndex(from, 'handle').filter(([, handle]) => /^[a-z0-9-]{1,40}$/.test(handle)))
  const insert = to.query(
    `INSERT OR IGNORE INTO account (row, id, handle, settings, site_revision, changed_at_revision, created_at, removed_at)
     VALUES (?1, ?2, ?3, '${noSettings}', (SELECT max(revision) FROM (${revisions.join(' UNION ALL ')})),
             coalesce((SELECT revision FROM box), 1), ?4, ?5)`,
  )
  let rescued = 0
  for (const [row, id] of accountsByIndex(from, 'id')) {
    if (there.has(row) || !isId(id)) continue
    const handle = handles.get(row) ?? rescuedHandle(keptSiteToml(to, row) ?? '') ?? `account-${row}`
    // The row of a removed account stays, with its id as its handle.
    const removedAt = handle === id ? madeAt(id) : null
    rescued += insert.run(row, id, handle, madeAt(id), removedAt).changes
  }
  return rescued
}

/** What visitors saw last: a publication raises the revision of each row that it begins or ends. */
const revisions = [
  'SELECT 1 AS revision',
  ...['asset_version', 'kept_file'].flatMap((table) =>
    ['from_revision', 'to_revision'].map((column) => `SELECT max(${column}) FROM ${table} WHERE account_row = ?1`),
  ),
]

/** Gives settings to the accounts that have none, though they are not removed. */
export function rescueSettings(to: Database): AccountWithoutSettings[] {
  const hostsOf = to.query<{ host: string }, [number]>('SELECT host FROM domain WHERE account_row = ? ORDER BY host')
  return to
    .query<{ row: number; handle: string }, []>(
      `SELECT row, handle FROM account WHERE settings = '${noSettings}' AND removed_at IS NULL ORDER BY handle`,
    )
    .all()
    .map(({ row, handle }) => {
      const domains = hostsOf.all(row).map(({ host }) => host)
      const { settings, isKept } = rescuedSettings({ handle, domains, siteToml: keptSiteToml(to, row) })
      to.query('UPDATE account SET settings = ? WHERE row = ?').run(JSON.stringify(settings), row)
      return { account: handle, fromKeptFolder: isKept }
    })
}

const keptSiteToml = (to: Database, row: number): string | null =>
  to
    .query<{ siteToml: string }, [number]>('SELECT site_toml AS siteToml FROM kept_folder WHERE account_row = ?')
    .get(row)?.siteToml ?? null
