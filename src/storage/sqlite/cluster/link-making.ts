import type { Database } from 'bun:sqlite'
import { linkBytesMax } from '../../../cluster/cluster-log.ts'
import type { BaseContent, LinkContent } from '../../../cluster/replica.ts'
import { lastPosition, ledgerPages } from '../backup/database-copies.ts'
import { processedTo } from '../processing/processed-to.ts'
import { linkedTables } from '../schema/tables.ts'
import { encodeLink, linkLine, markedRows } from './link-body.ts'
import { knownPosition, lastEntry, needsBase } from './position.ts'
import { dividedAt, wholeTo } from './taken-batches.ts'

/** Of a link's lines, which are pressed to about a tenth. */
const linkCharactersMax = linkBytesMax / 4
/** Marks that a link takes along: moving them holds the write lock for about 10 ms. */
const marksMax = 10_000

interface Mark {
  name: string
  row: number
}

interface Transactions {
  write: <T>(work: () => T) => T
  /** The same, after the counts of processed batches were added (`TakenBatches`). */
  counted: <T>(work: (raw: Database) => T) => T
}

/**
 * Makes a link of what is in none yet. Marks of its rows are set aside until it is stored; a row that changes meanwhile is marked
 * anew.
 *
 * @returns `base`: no link can carry what has changed
 */
export function makeLink(raw: Database, { write, counted }: Transactions): LinkContent | 'base' | null {
  const marked = counted((raw) => (needsBase(raw) ? null : takeMarks(raw)))
  if (marked === null) return 'base'
  const { processed, hasAll } = marked
  const { linkedTo } = knownPosition(raw)
  const { lines, characters, rest } = raw.transaction(() => stateLines(raw))()
  // Entries never go before what was written with them, or before the batch's counts.
  const mayHaveEntries = hasAll && rest.length === 0
  const ledger = mayHaveEntries
    ? ledgerLines(raw, { from: linkedTo, to: processed, room: linkCharactersMax - characters })
    : null
  const to = ledger?.to ?? linkedTo
  const removals = raw.transaction(() => removalLines(raw, to))()
  const taken = write(() => {
    // The rows may be a part of what only a base carries whole.
    if (needsBase(raw)) return null
    moveMarks(raw, [...rest, ...removals.rest], { from: 'cluster_sent', to: 'cluster_changed' })
    return noteMade(raw, { to, takenTo: ledger === null ? null : to })
  })
  if (taken === null) return 'base'
  if (lines.length + removals.lines.length + taken.length === 0 && to === linkedTo) return null
  const isWhole = ledger !== null && to >= processed
  return { body: encodeLink([...lines, ...removals.lines, ...(ledger?.lines ?? []), linkLine({ to })]), taken, isWhole }
}

/** What the folder holds now is what a base has. Its marks are set aside until that is stored. Call in a transaction. */
export function proposeBase(raw: Database, id: string): BaseContent | null {
  const to = lastEntry(raw)
  if (processedTo({ raw }) < to) return null
  raw.run('INSERT OR IGNORE INTO cluster_sent (name, row) SELECT name, row FROM cluster_changed')
  raw.run('DELETE FROM cluster_changed')
  raw.run(`UPDATE cluster_position SET proposed = ?, unlinkable = 'proposed'`, [id])
  const end = lastPosition(raw)
  return { to, taken: noteMade(raw, { to: end, takenTo: end }) }
}

/** In one transaction with the place of processing: a delivery was marked when its entry was processed. */
function takeMarks(raw: Database): { processed: number; hasAll: boolean } {
  const end = lastPosition(raw)
  raw.run('UPDATE linked_removal SET to_sequence = ? WHERE to_sequence IS NULL', [end])
  const marks = raw.query<Mark, []>(`SELECT name, row FROM cluster_changed LIMIT ${marksMax}`).all()
  moveMarks(raw, marks, { from: 'cluster_changed', to: 'cluster_sent' })
  return { processed: wholeTo(raw), hasAll: marks.length < marksMax }
}

type Marks = 'cluster_changed' | 'cluster_sent'

function moveMarks(raw: Database, marks: readonly Mark[], { from, to }: { from: Marks; to: Marks }): void {
  const add = raw.query<null, [string, number]>(`INSERT OR IGNORE INTO ${to} (name, row) VALUES (?, ?)`)
  const remove = raw.query<null, [string, number]>(`DELETE FROM ${from} WHERE name = ? AND row = ?`)
  for (const { name, row } of marks) {
    add.run(name, row)
    remove.run(name, row)
  }
}

/** The rows as they are now, and the marks for which there is no room. */
function stateLines(raw: Database): { lines: string[]; characters: number; rest: Mark[] } {
  const marks = raw
    .query<Mark, [string]>('SELECT name, row FROM cluster_sent WHERE name <> ? ORDER BY name, row')
    .all(removalNotes)
  const ofTables = Map.groupBy(marks, ({ name }) => name)
  const lines: string[] = []
  const rest: Mark[] = []
  let characters = 0
  for (const table of linkedTables) {
    const numbers = (ofTables.get(table) ?? []).map(({ row }) => row)
    for (const rows of markedRows(raw, table, numbers)) {
      if (characters > linkCharactersMax) {
        rest.push(...numbers.filter((row) => row >= rows.first).map((row) => ({ name: table, row })))
        break
      }
      const line = linkLine(rows)
      characters += line.length
      lines.push(line)
    }
  }
  return { lines, characters, rest }
}

const removalNotes = 'linked_removal'

/** Notes of what was removed, behind the entries of their erasures: a person goes when nothing names them any more. */
function removalLines(raw: Database, to: number): { lines: string[]; rest: Mark[] } {
  const marks = raw
    .query<{ row: number; toSequence: number | null }, []>(
      `SELECT cluster_sent.row, to_sequence AS toSequence FROM cluster_sent
       LEFT JOIN linked_removal ON linked_removal.row = cluster_sent.row
       WHERE name = '${removalNotes}' ORDER BY cluster_sent.row`,
    )
    .all()
  const early = marks.filter(({ toSequence }) => (toSequence ?? 0) > to)
  const numbers = marks.filter((mark) => !early.includes(mark)).map(({ row }) => row)
  return {
    lines: [...markedRows(raw, removalNotes, numbers)].map(linkLine),
    rest: early.map(({ row }) => ({ name: removalNotes, row })),
  }
}

function ledgerLines(
  raw: Database,
  { from, to, room }: { from: number; to: number; room: number },
): { lines: string[]; to: number } {
  const lines: string[] = []
  let characters = 0
  for (const ledger of ledgerPages(raw, from, to)) {
    const line = linkLine({ ledger })
    lines.push(line)
    characters += line.length
    if (characters < room) continue
    const at = ledger.at(-1)?.[0] ?? to
    const end = dividedAt(raw, at)?.last ?? at
    for (const rest of ledgerPages(raw, at, end)) lines.push(linkLine({ ledger: rest }))
    return { lines, to: end }
  }
  return { lines, to: Math.max(from, to) }
}

/** @param takenTo batches that end here are in the link; `null`: none is. @returns their ids */
function noteMade(raw: Database, { to, takenTo }: { to: number; takenTo: number | null }): string[] {
  raw.run('UPDATE cluster_position SET made_to = ?', [to])
  raw.run('UPDATE intake_taken SET is_made = (last_sequence <= ?) WHERE NOT is_linked', [takenTo ?? -1])
  return raw
    .query<{ batch: string }, []>('SELECT batch FROM intake_taken WHERE is_made AND NOT is_linked')
    .all()
    .map(({ batch }) => batch)
}

/** What the link made last contains is in the chain. Call in a transaction. */
export function endMarks(raw: Database, madeTo: number): void {
  raw.run('DELETE FROM cluster_sent')
  raw.run('UPDATE intake_taken SET is_linked = 1 WHERE is_made')
  raw.run(`UPDATE cluster_position SET linked_to = ?, unlinkable = nullif(unlinkable, 'proposed')`, [madeTo])
}
