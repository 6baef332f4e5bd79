import type { Database } from 'bun:sqlite'
import { lastPosition } from '../backup/database-copies.ts'
import { linkedTables, tables } from '../schema/tables.ts'

const ofEntries = tables.filter(({ name, refersTo }) => linkedTables.includes(name) && refersTo.includes('ledger'))

/**
 * Removes what a leader that died wrote of entries that it had not linked: a link is made while processing goes on, and has rows
 * of entries that come with the next. These entries are still in the intake, and get numbers anew, as other entries get theirs;
 * their deliveries are made anew as well. Call in a transaction, on a connection that follows no references.
 */
export function removeRowsAhead(raw: Database): void {
  const end = lastPosition(raw)
  const ahead = 'SELECT * FROM delivery WHERE sequence > ?'
  // Else the visitor would count as answered.
  raw.run(
    `DELETE FROM visitor_reply WHERE EXISTS (SELECT 1 FROM (${ahead}) AS early
       WHERE early.account_row = visitor_reply.account_row AND early.destination_row = visitor_reply.destination_row
         AND early.created_at = visitor_reply.at)`,
    [end],
  )
  raw.run(`DELETE FROM delivery_attempt WHERE delivery_row IN (SELECT row FROM (${ahead}))`, [end])
  for (const { name } of ofEntries) raw.run(`DELETE FROM ${name} WHERE sequence > ?`, [end])
}
