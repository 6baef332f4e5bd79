import type { Database } from 'bun:sqlite'
import { linkedTables, tables } from '../schema/tables.ts'
import { endFollowing, everyEntry, isFollowing } from './following.ts'
import { rowNumber } from './numbered-rows.ts'

/** What fires a trigger, and the rows that it then marks. */
const events = { insert: ['NEW'], update: ['OLD', 'NEW'], delete: ['OLD'] } as const

interface Trigger {
  name: string
  sql: string
}

/**
 * SQLite keeps the text, and a restore recognizes it by that. Not `INSERT OR IGNORE`: how the statement that fires a trigger
 * resolves a conflict overrules how the trigger does.
 */
function triggerOf(table: string, event: keyof typeof events): Trigger {
  const marks = events[event].map(
    (row) =>
      `INSERT INTO cluster_changed (name, row) SELECT '${table}', ${row}.${rowNumber}
    WHERE NOT EXISTS (SELECT 1 FROM cluster_changed WHERE name = '${table}' AND row = ${row}.${rowNumber});`,
  )
  const name = `mark_${event}_of_${table}`
  return { name, sql: `CREATE TRIGGER ${name} AFTER ${event} ON "${table}" BEGIN\n  ${marks.join('\n  ')}\nEND` }
}

const wanted = (): Trigger[] =>
  linkedTables.flatMap((table) =>
    (Object.keys(events) as (keyof typeof events)[]).map((event) => triggerOf(table, event)),
  )

function existing(raw: Database): Trigger[] {
  const found = raw.query<Trigger, []>(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all()
  const stored = new Map(found.map(({ name, sql }) => [name, sql]))
  return stored.size === 0 ? [] : wanted().filter(({ name, sql }) => stored.get(name) === sql)
}

/** The name of a trigger or a view that no box has; `null`: there is none. */
export function foreignTo(raw: Database): string | null {
  const ours = new Set(existing(raw).map(({ name }) => name))
  const found = raw
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')`)
    .all()
  return found.find(({ name }) => !ours.has(name))?.name ?? null
}

/** Has every change of a linked table marked, whoever makes it. Call at each opening, since migrations make tables anew. */
export function setMarks(raw: Database): void {
  const there = new Set(existing(raw).map(({ name }) => name))
  for (const { name, sql } of wanted()) if (!there.has(name)) raw.run(sql)
}

/**
 * Makes a database a single box's that was a node's, or is a copy of one. Entries that a follower has not processed count as
 * delivered by the leader. Call in a transaction.
 */
export function leaveCluster(raw: Database): void {
  const marks = existing(raw)
  if (marks.length === 0) return
  for (const { name } of marks) raw.run(`DROP TRIGGER ${name}`)
  if (isFollowing({ raw })) {
    raw.run(`INSERT OR IGNORE INTO delivered_elsewhere (last_sequence, first_sequence)
      SELECT max(sequence), max(cursor + 1, first_sequence) FROM processing, ledger, delivered_elsewhere
      WHERE last_sequence = ${everyEntry.lastSequence} AND sequence > cursor AND sequence >= first_sequence
      GROUP BY cursor, first_sequence`)
    endFollowing({ raw })
  }
  for (const { name, is } of tables) if (is === 'node') raw.run(`DELETE FROM ${name}`)
}
