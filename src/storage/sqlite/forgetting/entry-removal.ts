import type { Database } from 'bun:sqlite'
import type { Hit } from '../../../processing/attribution/touch.ts'
import type { DeviceKind } from '../../../processing/figures/channel.ts'
import type { CountedEntry } from '../../../processing/figures/measures.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { decisionKinds, type EntryRow, entryKinds, isOfSubmission, readableEntry } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/ledger-tree.ts'
import { filesOf } from '../lookup/unprocessed-files.ts'
import { storedChannel, type VersionsColumn, versionsOf } from '../processing/device-rows.ts'
import { QuarantineCounts } from '../processing/quarantine.ts'
import { type LeadColumns, leadColumns, leadOf } from '../processing/submission-rows.ts'
import { tables } from '../schema/tables.ts'

export interface RemovedEntry extends CountedEntry {
  sequence: number
  accountRow: number
  /** See `entryKinds` in ledger-codec.ts. */
  kind: number
  id: string
  receivedAt: number
  /** `null`: it named no known device. */
  deviceRow: number | null
  personRow: number | null
}

/**
 * Removes entries of the ledger with every row derived from each alone; call in a transaction. Whoever removes them settles
 * figures, and what an entry had a part in.
 */
export class EntryRemoval {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly quarantine: QuarantineCounts

  constructor(connection: Connection) {
    this.statements = prepareStatements(connection)
    this.quarantine = new QuarantineCounts(connection.raw)
  }

  /** `null`: it is already gone. */
  remove(sequence: number): RemovedEntry | null {
    const row = this.statements.entry.get(sequence)
    if (row === null) return null
    if (row.kind === entryKinds.submission) this.statements.loosenFiles.run(sequence)
    this.removeOwn(row)
    if (row.isQuarantined === 1) this.quarantine.remove(row)
    if (row.kind === entryKinds.submission) this.removeDecisions(row)
    return removedEntry(row)
  }

  /** Decisions are kept as long as their submission. */
  private removeDecisions({ accountRow, id }: StoredRow): void {
    for (const decision of this.statements.decisions.all(accountRow, id))
      this.removeOwn({ ...decision, deviceRow: null, receivedAt: 0, id })
  }

  private removeOwn(entry: EntryPlace): void {
    for (const remove of this.statements.own) remove(entry)
  }
}

/** By what the rows of an entry are found. */
interface EntryPlace {
  sequence: number
  deviceRow: number | null
  receivedAt: number
  id: string
}

interface StoredRow extends LeadColumns, VersionsColumn, EntryRow, EntryPlace {
  accountRow: number
  accountId: string
  day: number | null
  counted: number
  channel: string | null
  clickDay: number | null
  message: string
  verdict: 'human' | 'suspected' | 'machine'
  goalDay: number | null
  targets: string
  goalsCounted: string
  formId: string | null
  deviceKind: DeviceKind
  countedAt: number
  personRow: number | null
  leadDay: number | null
  isQuarantined: number | null
}

function removedEntry(row: StoredRow): RemovedEntry {
  const { day, counted, receivedAt, clickDay, goalDay, formId, deviceKind: device, countedAt: at, leadDay } = row
  const lead = leadDay === null ? null : { day: leadDay, lead: leadOf(row) }
  return {
    ...row,
    hit:
      day === null ? null : { day, counted, receivedAt, channel: storedChannel(row.channel), read: () => hitOf(row) },
    click: clickDay === null ? null : { day: clickDay, receivedAt, message: row.message, verdict: row.verdict },
    goals:
      goalDay === null
        ? null
        : { day: goalDay, targets: storedJson(row.targets), counted: storedJson(row.goalsCounted) },
    submission: formId === null ? null : { formId, versions: versionsOf(row), device, at, counted: lead },
  }
}

function hitOf(row: StoredRow): Hit | null {
  const entry = readableEntry(row, row.accountId)
  return entry === null || entry.kind === 'submission' ? null : entry
}

function prepareStatements({ raw }: Connection) {
  return {
    // A record that was set aside may not even be JSON.
    entry: raw.query<StoredRow, [number]>(
      `SELECT ledger.sequence, ledger.account_row AS accountRow, ledger.kind, ledger.id, ledger.received_at AS receivedAt,
         record, checksum, (SELECT id FROM account WHERE row = ledger.account_row) AS accountId, device.row AS deviceRow, entry.day, entry.counted, entry.channel,
         click.day AS clickDay, click.message, click.verdict, goals.day AS goalDay, goals.targets,
         goals.counted AS goalsCounted, fact.form_id AS formId, fact.versions, fact.device_kind AS deviceKind,
         coalesce(fact.released_at, fact.received_at) AS countedAt, fact.person_row AS personRow,
         fact.lead_day AS leadDay, ${leadColumns},
         fact.status = 'refused' AND fact.released_at IS NULL AS isQuarantined
       FROM ledger
       LEFT JOIN device ON device.account_row = ledger.account_row AND device.id = ${recordField('deviceId')}
       LEFT JOIN device_entry entry ON entry.device_row = device.row AND entry.received_at = ledger.received_at
         AND entry.sequence = ledger.sequence
       LEFT JOIN click_fact click ON click.sequence = ledger.sequence
       LEFT JOIN goal_entry goals ON goals.sequence = ledger.sequence
       LEFT JOIN submission_fact fact ON fact.sequence = ledger.sequence
       WHERE ledger.sequence = ?`,
    ),
    // An index each.
    decisions: raw.query<{ sequence: number }, [number, string]>(
      `SELECT sequence FROM ledger WHERE account_row = ?1 AND kind ${isOfSubmission} AND id = ?2
       UNION ALL
       SELECT sequence FROM ledger WHERE account_row = ?1 AND kind = ${decisionKinds.confirmation} AND id = ?2`,
    ),
    // One that was set aside has its files in its record alone.
    loosenFiles: raw.query<null, [number]>(
      `INSERT OR IGNORE INTO loose_file SELECT sha256 FROM submission_file WHERE sequence = ?1
       UNION ${filesOf('sequence = ?1')}`,
    ),
    own: ownRemovals(raw),
  }
}

const placeOf = { sequence: 'sequence', device_row: 'deviceRow', received_at: 'receivedAt', entry_id: 'id' } as const

/** Delete the rows that an entry alone has made, and its own. */
const ownRemovals = (raw: Database) =>
  tables.flatMap(({ name, perEntry }) => {
    if (perEntry === undefined) return []
    const isOfEntry = perEntry.map((column) => `${column} = ?`).join(' AND ')
    const statement = raw.query<null, (number | string | null)[]>(`DELETE FROM ${name} WHERE ${isOfEntry}`)
    return [(entry: EntryPlace) => statement.run(...perEntry.map((column) => entry[placeOf[column]]))]
  })

/** How long a step may hold the write lock or derive: 20 ms, less a slow disk's share. */
export const stepMs = 5

/** Handles items until time is up, at least one; returns how many. */
export function untilOver<Item>(items: readonly Item[], isOver: () => boolean, work: (item: Item) => void): number {
  let done = 0
  for (const item of items) {
    if (done > 0 && isOver()) break
    work(item)
    done++
  }
  return done
}
