import type { Database } from 'bun:sqlite'

/** What processing derives from the ledger. A restore processes the entries after its base again. */
export const derivedTables = [
  'click_fact',
  'day_figure',
  'device',
  'device_entry',
  'device_tie',
  'device_traits',
  'erased_time',
  'goal_entry',
  'month_figure',
  'person',
  'processing',
  'quarantine_count',
  'receipt_hour',
  'set_aside',
  'stale_burst',
  'stale_day',
  'stale_device',
  'stale_repeat',
  'submission_fact',
  'touch',
  'visitor_day',
] as const

/**
 * Tables that only bases have: what they hold is worth nothing in another process or a day later. `spent_challenge` is none of
 * them: it also has who wants no more replies (capture/reply-opt-outs.ts).
 */
export const fleetingTables = ['clock_seen', 'idempotent_answer'] as const

/**
 * The tables whose changes increments carry: all that are neither the ledger, nor derived from it, nor fleeting. An
 * unclassified table counts as state: it is sent too often, but nothing of it is lost.
 */
export function stateTables(raw: Database): string[] {
  const others: readonly string[] = ['ledger', ...derivedTables, ...fleetingTables, '__drizzle_migrations']
  return tableNames(raw).filter((name) => !others.includes(name))
}

/** All tables but SQLite's own. */
export const tableNames = (raw: Database): string[] =>
  raw
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name)
