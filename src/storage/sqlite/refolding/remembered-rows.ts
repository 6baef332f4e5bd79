import type { EntryKey, ProcessedAccount } from '../../../processing/ledger-item.ts'
import { type DeviceBase, type ErasedTime, withoutErased } from '../../../processing/refolding/device-base.ts'
import type { RememberedEntry, RememberedRelease } from '../../../processing/refolding/device-refold.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { decisionKinds, type EntryRow, entryKinds, isOfSubmission, readableEntry } from '../ledger/ledger-codec.ts'
import { pageOf, storedChannel, type VersionsColumn, versionsOf } from '../processing/device-rows.ts'
import { type OriginColumns, storedOrigin } from '../processing/submission-rows.ts'
import { pause } from './stale-kind.ts'

/** Positions of a device's entries read at a time: well under a millisecond. */
const placesPerTurn = 500

type RememberedRow = EntryRow &
  OriginColumns & {
    sequence: EntryKey
    day: number
    counted: number
    channel: string | null
    touch: string | null
    lifeAt: number | null
    releasedAt: number | null
    targets: string | null
    visitAt: number | null
    countedTargets: string | null
  }

interface ReleaseRow {
  key: EntryKey
  id: string
  receivedAt: number
}

type BaseRow = Omit<DeviceBase, 'channel' | 'page' | 'versions' | 'erased'> &
  VersionsColumn & {
    accountRow: number
    channel: string | null
    pageAt: number
    pageSlug: string
    pageSha256: string
  }

/** A stored device: its base, and its entries with what was derived from each. */
export class RememberedRows {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(connection: Pick<Connection, 'raw'>) {
    this.statements = prepareStatements(connection)
  }

  /** `null`: it is gone. */
  base(deviceRow: number): { accountRow: number; base: DeviceBase } | null {
    const row = this.statements.base.get(deviceRow)
    if (row === null) return null
    const { accountRow, pageAt: _at, pageSlug: _slug, pageSha256: _sha256, ...base } = row
    const erased = this.statements.erasedTimes.all(deviceRow)
    const [channel, versions] = [storedChannel(row.channel), versionsOf(row)]
    return { accountRow, base: withoutErased({ ...base, channel, page: pageOf(row), versions, erased }) }
  }

  /**
   * The device's entries after the given one, and releases of its submissions, in the order in which they were
   * processed; the index has them in order of receipt.
   */
  *keysBehind(deviceRow: number, behind: number): Generator<typeof pause, Float64Array> {
    const found: number[] = []
    for (let after = { receivedAt: -1, sequence: 0 }; ; ) {
      const places = this.statements.places.all(deviceRow, after.receivedAt, after.sequence)
      for (const { sequence, releasedBy } of places) {
        if (sequence > behind) found.push(sequence)
        if (releasedBy !== null && releasedBy > behind) found.push(releasedBy)
      }
      const last = places.at(-1)
      if (last === undefined || places.length < placesPerTurn) return Float64Array.from(found).sort()
      after = last
      yield pause
    }
  }

  /** Those that still exist. */
  read(deviceRow: number, account: ProcessedAccount, keys: Iterable<number>): (RememberedEntry | RememberedRelease)[] {
    const found: (RememberedEntry | RememberedRelease)[] = []
    for (const key of keys) {
      const row = this.statements.entry.get(deviceRow, key)
      const release = row === null ? this.statements.release.get(key) : null
      if (row !== null) found.push(rememberedEntry(row, account))
      else if (release !== null) found.push(rememberedRelease(release, account))
    }
    return found
  }
}

/**
 * Whether anything of the device was processed after that sequence, or any release, which may be of one of its
 * submissions. Examines what came since, not everything that the device ever recorded.
 */
export const hasRecordedAfter = ({ raw }: Pick<Connection, 'raw'>, sequence: number, deviceRow: number): boolean =>
  raw
    .query<object, [number, number]>(
      `SELECT 1 FROM ledger WHERE sequence > ?1 AND sequence <= (SELECT cursor FROM processing)
         AND (kind = ${decisionKinds.release} OR EXISTS (SELECT 1 FROM device_entry entry WHERE entry.device_row = ?2
           AND entry.received_at = ledger.received_at AND entry.sequence = ledger.sequence)) LIMIT 1`,
    )
    .get(sequence, deviceRow) !== null

function rememberedEntry(row: RememberedRow, account: ProcessedAccount): RememberedEntry {
  return {
    key: row.sequence,
    receipt: { at: row.receivedAt, id: row.id },
    account,
    entry: readableEntry(row, account.id),
    day: row.day,
    counted: row.counted,
    channel: storedChannel(row.channel),
    touch: row.touch === null ? null : storedJson(row.touch),
    origin: row.kind === entryKinds.submission ? storedOrigin(row) : null,
    isReleased: row.releasedAt !== null,
    lifeAt: row.kind === entryKinds.click ? row.lifeAt : undefined,
    goals: goalsOf(row),
  }
}

const goalsOf = ({ targets, visitAt, countedTargets }: RememberedRow): RememberedEntry['goals'] =>
  targets === null ? null : { targets: storedJson(targets), visitAt, counted: storedJson(countedTargets ?? '[]') }

const rememberedRelease = ({ key, id, receivedAt }: ReleaseRow, account: ProcessedAccount): RememberedRelease => ({
  key,
  account,
  release: { kind: 'release', id, accountId: account.id, receivedAt },
})

function prepareStatements({ raw }: Pick<Connection, 'raw'>) {
  return {
    base: raw.query<BaseRow, [number]>(
      `SELECT row AS key, account_row AS accountRow, expired_at AS expiredAt, expired_hit_at AS hitAt,
         expired_visit_at AS visitAt, expired_channel AS channel, expired_view_day AS viewDay, page_at AS pageAt,
         page_slug AS pageSlug, page_sha256 AS pageSha256, versions
       FROM device WHERE row = ?`,
    ),
    erasedTimes: raw.query<ErasedTime, [number]>(
      'SELECT from_at AS "from", until_at AS until FROM erased_time WHERE device_row = ?',
    ),
    places: raw.query<{ receivedAt: number; sequence: number; releasedBy: number | null }, [number, number, number]>(
      `SELECT received_at AS receivedAt, sequence,
         CASE kind WHEN ${entryKinds.submission} THEN (
           SELECT decision.sequence FROM submission_fact fact
           JOIN ledger decision ON decision.account_row = fact.account_row AND decision.kind ${isOfSubmission}
             AND decision.kind = ${decisionKinds.release} AND decision.id = fact.id AND decision.received_at = fact.released_at
           WHERE fact.sequence = device_entry.sequence
           ORDER BY decision.sequence DESC LIMIT 1) END AS releasedBy
       FROM device_entry
       WHERE device_row = ? AND (received_at, sequence) > (?, ?)
       ORDER BY received_at, sequence LIMIT ${placesPerTurn}`,
    ),
    release: raw.query<ReleaseRow, [number]>(
      `SELECT sequence AS key, id, received_at AS receivedAt FROM ledger
       WHERE sequence = ? AND kind = ${decisionKinds.release}`,
    ),
    entry: raw.query<RememberedRow, [number, number]>(
      `SELECT ledger.sequence, ledger.kind, ledger.id, ledger.received_at AS receivedAt, record, checksum,
         entry.day, entry.counted, entry.channel, touch, life_at AS lifeAt, released_at AS releasedAt, first_touch AS first, last_touch AS last,
         page_at AS pageAt, page_slug AS pageSlug, page_sha256 AS pageSha256, versions, goal_entry.targets,
         goal_entry.visit_at AS visitAt, goal_entry.counted AS countedTargets
       FROM ledger
       JOIN device_entry entry ON entry.device_row = ?1 AND entry.received_at = ledger.received_at
         AND entry.sequence = ledger.sequence
       LEFT JOIN touch ON touch.device_row = ?1 AND touch.received_at = ledger.received_at
         AND touch.entry_id = ledger.id
       LEFT JOIN click_fact ON click_fact.sequence = ledger.sequence
       LEFT JOIN submission_fact ON submission_fact.sequence = ledger.sequence
       LEFT JOIN goal_entry ON goal_entry.sequence = ledger.sequence
       WHERE ledger.sequence = ?2`,
    ),
  }
}
