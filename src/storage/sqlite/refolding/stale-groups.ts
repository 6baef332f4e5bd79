import type { Touch } from '../../../processing/attribution/touch.ts'
import { aroundQuery, judgeAgain } from '../../../processing/clicks/judging.ts'
import type { DeviceKind } from '../../../processing/figures/channel.ts'
import { type CountedSubmission, figuresOfSubmission, leadMeasures } from '../../../processing/figures/measures.ts'
import type { EntryKey } from '../../../processing/ledger-item.ts'
import { countedNames } from '../../../processing/submissions/origin.ts'
import { type Repeat, relinked } from '../../../processing/submissions/repeats.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'
import { isOfSubmission } from '../ledger/ledger-codec.ts'
import { type VersionsColumn, versionsOf } from '../processing/device-rows.ts'
import type { Folding } from '../processing/folding.ts'
import { pause, type StaleKind } from './stale-kind.ts'

// What several senders share: equal submissions and bursts of clicks.

/** Submissions read at a time: a millisecond or two. */
const repeatsPerPart = 500
const leadsPerPart = 25

interface Group {
  accountRow: number
  fingerprint: string
  /** The latest submission of the group that was looked at. */
  latest: number
  /** The latest of the erased ones. */
  latestGone: number
}

type Relinked = [repeat: Repeat, original: string | null]

/**
 * Submissions that repeated erased ones: the first remaining one becomes a lead, and the others repeat it. Decided by
 * the pure rule over all submissions of the fingerprint, whoever sent them.
 */
export function staleRepeats(connection: Connection): StaleKind<Group, Relinked> {
  const statements = repeatStatements(connection)
  const end = ({ accountRow, fingerprint, latestGone }: Group) =>
    void statements.end.run(accountRow, fingerprint, latestGone)
  return {
    changesPerPart: leadsPerPart,
    next: () => statements.next.get(),
    isMarked: ({ accountRow, fingerprint }) => statements.isMarked.get(accountRow, fingerprint) !== null,
    *changes(group) {
      const { accountRow, fingerprint } = group
      const gone = statements.gone.all(accountRow, fingerprint)
      group.latestGone = latestOf(gone)
      const left: Repeat[] = []
      for (let after = { receivedAt: -1, sequence: 0 }; ; yield pause) {
        const rows = statements.alike.all(accountRow, fingerprint, after.receivedAt, after.sequence)
        left.push(...rows)
        const last = rows.at(-1)
        if (last === undefined || rows.length < repeatsPerPart) break
        after = last
      }
      group.latest = latestOf(left)
      yield* relinked(left, gone)
    },
    write([{ sequence, duplicateOf }, original], _, { accountId, state }) {
      const fact = statements.retell.get(original, sequence, duplicateOf)
      if (fact === null || original !== null || fact.day === null) return
      const { formId, device, at, day } = fact
      const versions = versionsOf(fact)
      const last: Touch | null = fact.last === null ? null : storedJson(fact.last)
      const lead = countedNames({ last }, { accountId, day }, state)
      statements.countAsLead.run(...leadMeasures.map((measure) => lead[measure]), sequence)
      const add = (counted: CountedSubmission, count: number) => {
        for (const figure of figuresOfSubmission({ formId, versions, device, at, counted }))
          state.figures.add(accountId, { ...figure, count })
      }
      add({ day, lead: null }, -1)
      add({ day, lead }, 1)
    },
    /** A submission that came in meanwhile may also repeat an erased one. */
    settle(group) {
      const { accountRow, fingerprint, latest } = group
      if (statements.later.get(accountRow, fingerprint, latest) === null) end(group)
    },
    giveUp: end,
  }
}

const latestOf = (repeats: readonly Repeat[]): number =>
  repeats.reduce((latest, { sequence }) => Math.max(latest, sequence), 0)

interface RetoldRow extends VersionsColumn {
  formId: string
  device: DeviceKind
  at: number
  day: number | null
  last: string | null
}

function repeatStatements({ raw }: Connection) {
  const repeat = 'sequence, id, received_at AS receivedAt, duplicate_of AS duplicateOf'
  const inGroup = 'account_row = ? AND fingerprint = ?'
  return {
    next: raw.query<Group, []>(
      `SELECT account_row AS accountRow, fingerprint, 0 AS latest, max(sequence) AS latestGone FROM stale_repeat
       GROUP BY account_row, fingerprint LIMIT 1`,
    ),
    isMarked: raw.query<object, [number, string]>(`SELECT 1 FROM stale_repeat WHERE ${inGroup} LIMIT 1`),
    gone: raw.query<Repeat, [number, string]>(
      `SELECT ${repeat}, sequence AS countedBy FROM stale_repeat WHERE ${inGroup}`,
    ),
    alike: raw.query<Repeat, [number, string, number, number]>(
      `SELECT ${repeat}, coalesce(
         (SELECT max(decision.sequence) FROM ledger decision WHERE decision.account_row = fact.account_row
          AND decision.kind ${isOfSubmission} AND decision.id = fact.id), sequence) AS countedBy
       FROM submission_fact fact WHERE ${inGroup} AND (received_at, sequence) > (?, ?)
       ORDER BY received_at, sequence LIMIT ${repeatsPerPart}`,
    ),
    later: raw.query<object, [number, string, number]>(
      `SELECT 1 FROM submission_fact WHERE ${inGroup} AND sequence > ? LIMIT 1`,
    ),
    end: raw.query<null, [number, string, number]>(`DELETE FROM stale_repeat WHERE ${inGroup} AND sequence <= ?`),
    retell: raw.query<RetoldRow, [string | null, number, string | null]>(
      `UPDATE submission_fact SET duplicate_of = ? WHERE sequence = ? AND duplicate_of = ?
       RETURNING form_id AS formId, versions, device_kind AS device, coalesce(released_at, received_at) AS at,
         lead_day AS day, last_touch AS last`,
    ),
    countAsLead: raw.query<null, (string | number | null)[]>(
      `UPDATE submission_fact SET ${leadMeasures.map((column) => `${column} = ?`).join()} WHERE sequence = ?`,
    ),
  }
}

export interface Marked {
  mark: number
  accountRow: number
}

/** How the marks of a table are found and ended, each a row of its own. */
export function eachRow<Key extends Marked>(
  { raw }: Connection,
  table: string,
  columns: { mark: string; key: string },
) {
  const { mark, key } = columns
  const next = raw.query<Key, []>(
    `SELECT ${mark} AS mark, account_row AS accountRow, ${key} FROM ${table} ORDER BY 1 LIMIT 1`,
  )
  const isMarked = raw.query<object, [number]>(`SELECT 1 FROM ${table} WHERE ${mark} = ?`)
  const end = raw.query<null, [number]>(`DELETE FROM ${table} WHERE ${mark} = ?`)
  const settle = (marked: Key) => void end.run(marked.mark)
  return {
    next: () => next.get(),
    isMarked: (marked: Key) => isMarked.get(marked.mark) !== null,
    settle,
    giveUp: settle,
  }
}

type StaleBurst = Marked & { group: string; at: number }

/** Judges clicks around erased ones again, by what is left of their burst. */
export const staleBursts = (connection: Connection, folding: Folding): StaleKind<StaleBurst, EntryKey> => ({
  ...eachRow<StaleBurst>(connection, 'stale_burst', {
    mark: 'sequence',
    key: 'burst_group AS "group", received_at AS at',
  }),
  /** Each may have to be compared with a hundred others. */
  changesPerPart: 4,
  *changes({ accountRow, group, at }) {
    const { state } = folding.begin()
    const account = folding.account(accountRow)
    if (account === null) return
    const around = state.clicks.around(aroundQuery({ accountId: account.id, group, at }, state.verdicts))
    for (const { key } of around) yield key
  },
  write(key, _, { accountId, state }) {
    for (const click of state.clicks.meet(folding.store.clicks.listOf([key]))) judgeAgain(accountId, click, state)
  },
})
