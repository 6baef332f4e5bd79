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
  /** The same, after the counts of batches that end by an entry were added (`TakenBatches`). */
  counted: <T>(to: number, work: (raw: Database) => T) => T
}

/** What batches count. A link has it of the batches that it contains: a successor takes the others from the intake, and counts them. */
const countTables = ['missing_count', 'refusal_count']
const isCount = `name IN ('${countTables.join("', '")}')`

/**
 * Makes a link of what is in none yet. Marks of its rows are set aside until it is stored; a row that changes meanwhile is marked
 * anew.
 *
 * @returns `base`: no link can carry what has changed
 */
export function makeLink(raw: Database, { write, counted }: Transactions): LinkContent | 'base' | null {
  const marked = write(() => (needsBase(raw) ? null : takeMarks(raw)))
  if (marked === null) return 'base'
  const { processed, hasAll } = marked
  const { linkedTo } = knownPosition(raw)
  const { lines, characters, rest } = raw.transaction(() => stateLines(raw))()
  // Entries never go before what was written with them.
  const mayHaveEntries = hasAll && rest.length === 0
  const ledger = mayHaveEntries
    ? ledgerLines(raw, { from: linkedTo, to: processed, room: linkCharactersMax - characters })
    : null
  const to = ledger?.to ?? linkedTo
  const removals = raw.transaction(() => removalLines(raw, to))()
  const takenTo = ledger === null ? none : to
  const made = counted(takenTo, (raw) => {
    // The rows may be a part of what only a base carries whole.
    if (needsBase(raw)) return null
    moveMarks(raw, [...rest, ...removals.rest], { from: 'cluster_sent', to: 'cluster_changed' })
    return { counts: countLines(raw, ledger !== null), taken: noteMade(raw, { to, takenTo }) }
  })
  if (made === null) return 'base'
  const { counts, taken } = made
  if (lines.length + removals.lines.length + counts.length + taken.length === 0 && to === linkedTo) return null
  const isWhole = ledger !== null && to >= processed
  const state = [...lines, ...removals.lines, ...counts]
  return { body: encodeLink([...state, ...(ledger?.lines ?? []), linkLine({ to })]), taken, isWhole }
}

/** No batch ends by it. */
const none = -1

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
  const marks = raw
    .query<Mark, []>(`SELECT name, row FROM cluster_changed WHERE NOT ${isCount} LIMIT ${marksMax}`)
    .all()
  moveMarks(raw, marks, { from: 'cluster_changed', to: 'cluster_sent' })
  return { processed: wholeTo(raw), hasAll: marks.length < marksMax }
}

interface Way {
  from: 'cluster_changed' | 'cluster_sent'
  to: Way['from']
}

function moveMarks(raw: Database, marks: readonly Mark[], { from, to }: Way): void {
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
    .query<Mark, [string]>(`SELECT name, row FROM cluster_sent WHERE name <> ? AND NOT ${isCount} ORDER BY name, row`)
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

/** All counts that have changed, or none. */
function countLines(raw: Database, areIn: boolean): string[] {
  const way: Way = areIn
    ? { from: 'cluster_changed', to: 'cluster_sent' }
    : { from: 'cluster_sent', to: 'cluster_changed' }
  moveMarks(raw, raw.query<Mark, []>(`SELECT name, row FROM ${way.from} WHERE ${isCount}`).all(), way)
  const numbers = raw.query<{ row: number }, [string]>('SELECT row FROM cluster_sent WHERE name = ? ORDER BY row')
  return countTables.flatMap((table) => {
    const rows = numbers.all(table).map(({ row }) => row)
    return [...markedRows(raw, table, rows)].map(linkLine)
  })
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

/** @param takenTo batches that end by it are in the link. @returns their ids */
function noteMade(raw: Database, { to, takenTo }: { to: number; takenTo: number }): string[] {
  raw.run('UPDATE cluster_position SET made_to = ?', [to])
  raw.run('UPDATE intake_taken SET is_made = (last_sequence <= ?) WHERE NOT is_linked', [takenTo])
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
