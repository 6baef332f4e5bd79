import type { Database } from 'bun:sqlite'
import { handlePattern } from '../../../account/account.ts'
import { isId, madeAt } from '../../../lib/id.ts'
import type { AccountWithoutSettings } from '../../../operations/database/repair.ts'
import { rescuedHandle, rescuedSettings } from '../../../site/rescued-settings.ts'
import { noSettings } from '../lookup/account-row.ts'
import { accountsByIndex } from '../lookup/readable-rows.ts'

/**
 * Writes anew the rows of accounts that can be read by indexes alone: without its row, no record of an account could be kept. All
 * other tables must be there.
 *
 * @param hasAllDomains whether no row of `domain` is missing
 * @returns how many
 */
export function rescueRows(from: Database, to: Database, hasAllDomains: boolean): number {
  const there = new Set(to.query('SELECT row FROM account').values().flat())
  const handles = new Map(accountsByIndex(from, 'handle').filter(([, handle]) => handlePattern.test(handle)))
  const hasDomain = to.query('SELECT 1 FROM domain WHERE account_row = ? LIMIT 1')
  const insert = to.query(
    `INSERT OR IGNORE INTO account (row, id, handle, settings, site_revision, changed_at_revision, created_at, removed_at)
     VALUES (?1, ?2, ?3, '${noSettings}', ${shownRevision}, coalesce((SELECT revision FROM box), 1), ?4, ?5)`,
  )
  let rescued = 0
  for (const [row, id] of accountsByIndex(from, 'id')) {
    if (there.has(row) || !isId(id)) continue
    const handle = handles.get(row) ?? null
    // A removed account has its id as its handle. It loses its domains first, and every other account has one.
    const isRemoved = handle === null ? hasAllDomains && hasDomain.get(row) === null : handle === id
    const named = isRemoved ? id : (handle ?? rescuedHandle(keptSiteToml(to, row) ?? '') ?? `account-${row}`)
    const insertAs = (name: string) => insert.run(row, id, name, madeAt(id), isRemoved ? madeAt(id) : null).changes
    rescued += insertAs(named) || insertAs(`account-${row}`)
  }
  return rescued
}

/** A publication raises the revision of each row that it begins or ends; one that was not completed is later than the latest in the log. */
const shownRevision = `(
  SELECT coalesce(max(max(from_revision), coalesce(max(to_revision) FILTER (WHERE superseded_at <= latest), 1)), 1)
  FROM asset_version, (SELECT coalesce(max(at), 9e15) AS latest FROM publication WHERE account_row = ?1)
  WHERE account_row = ?1 AND published_at <= latest)`

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
