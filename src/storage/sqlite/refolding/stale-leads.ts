import type { Touch } from '../../../processing/attribution/touch.ts'
import { type CountedSubmission, figuresOfSubmission, leadMeasures } from '../../../processing/figures/measures.ts'
import type { EntryKey } from '../../../processing/ledger-item.ts'
import { countedNames, nameAgain } from '../../../processing/submissions/origin.ts'
import { type Repeat, relinked } from '../../../processing/submissions/repeats.ts'
import type { Connection } from '../database/connection.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import type { Correction, Folding } from '../processing/folding.ts'
import { isOfOthers } from '../schema/fact-schema.ts'
import { pause, type StaleKind } from './stale-kind.ts'

/** Submissions read at a time: a millisecond or two. */
const repeatsPerPart = 500
const leadsPerPart = 25

/** Submissions with the same fingerprint. */
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
export class StaleRepeats implements StaleKind<Group, Relinked> {
  readonly changesPerPart = leadsPerPart
  private readonly statements: ReturnType<typeof repeatStatements>

  constructor(connection: Connection) {
    this.statements = repeatStatements(connection)
  }

  next(): Group | null {
    return this.statements.next.get()
  }

  isMarked({ accountRow, fingerprint }: Group): boolean {
    return this.statements.isMarked.get(accountRow, fingerprint) !== null
  }

  *changes(group: Group): Generator<Relinked | typeof pause> {
    const { accountRow, fingerprint } = group
    const gone = this.statements.gone.all(accountRow, fingerprint)
    group.latestGone = latestOf(gone)
    const left: Repeat[] = []
    for (let after = { receivedAt: -1, sequence: 0 }; ; yield pause) {
      const rows = this.statements.alike.all(accountRow, fingerprint, after.receivedAt, after.sequence)
      left.push(...rows)
      const last = rows.at(-1)
      if (last === undefined || rows.length < repeatsPerPart) break
      after = last
    }
    group.latest = latestOf(left)
    yield* relinked(left, gone)
  }

  write([{ sequence, duplicateOf }, original]: Relinked, _: Group, { accountId, state }: Correction): void {
    const fact = this.statements.retell.get(original, sequence, duplicateOf)
    if (fact === null || original !== null || fact.day === null) return
    const { formId, day } = fact
    const last: Touch | null = fact.last === null ? null : JSON.parse(fact.last)
    const lead = countedNames({ last }, { accountId, day }, state)
    this.statements.countAsLead.run(...leadMeasures.map((measure) => lead[measure]), sequence)
    const add = (counted: CountedSubmission, count: number) => {
      for (const figure of figuresOfSubmission({ formId, counted })) state.figures.add(accountId, { ...figure, count })
    }
    add({ day, lead: null }, -1)
    add({ day, lead }, 1)
  }

  /** A submission that came in meanwhile may also repeat an erased one. */
  settle(group: Group): void {
    const { accountRow, fingerprint, latest } = group
    if (this.statements.later.get(accountRow, fingerprint, latest) === null) this.giveUp(group)
  }

  giveUp({ accountRow, fingerprint, latestGone }: Group): void {
    this.statements.end.run(accountRow, fingerprint, latestGone)
  }
}

const latestOf = (repeats: readonly Repeat[]): number =>
  repeats.reduce((latest, { sequence }) => Math.max(latest, sequence), 0)

interface RetoldRow {
  formId: string
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
         (SELECT release.sequence FROM ledger release WHERE release.account_row = fact.account_row
          AND release.kind = ${decisionKinds.release} AND release.id = fact.id), sequence) AS countedBy
       FROM submission_fact fact WHERE ${inGroup} AND (received_at, sequence) > (?, ?)
       ORDER BY received_at, sequence LIMIT ${repeatsPerPart}`,
    ),
    later: raw.query<object, [number, string, number]>(
      `SELECT 1 FROM submission_fact WHERE ${inGroup} AND sequence > ? LIMIT 1`,
    ),
    end: raw.query<null, [number, string, number]>(`DELETE FROM stale_repeat WHERE ${inGroup} AND sequence <= ?`),
    retell: raw.query<RetoldRow, [string | null, number, string | null]>(
      `UPDATE submission_fact SET duplicate_of = ? WHERE sequence = ? AND duplicate_of = ?
       RETURNING form_id AS formId, lead_day AS day, last_touch AS last`,
    ),
    countAsLead: raw.query<null, (string | number | null)[]>(
      `UPDATE submission_fact SET ${leadMeasures.map((column) => `${column} = ?`).join()} WHERE sequence = ?`,
    ),
  }
}

interface StaleDay {
  mark: number
  accountRow: number
  day: number
}

/** Leads that count as one of the others, on days on which an erasure left names free: the first get them. */
export class StaleDays implements StaleKind<StaleDay, EntryKey> {
  readonly changesPerPart = leadsPerPart
  private readonly statements: ReturnType<typeof dayStatements>

  constructor(
    connection: Connection,
    private readonly folding: Folding,
  ) {
    this.statements = dayStatements(connection)
  }

  next(): StaleDay | null {
    return this.statements.next.get()
  }

  isMarked({ mark }: StaleDay): boolean {
    return this.statements.isMarked.get(mark) !== null
  }

  *changes({ accountRow, day }: StaleDay): Generator<EntryKey> {
    for (let after = 0; ; ) {
      const leads = this.statements.others.all(accountRow, day, after)
      for (const { key } of leads) yield key
      const last = leads.at(-1)
      if (last === undefined) return
      after = last.key
    }
  }

  write(key: EntryKey, _: StaleDay, { accountId, state }: Correction): void {
    const submission = this.folding.store.submissions.one(key)
    if (submission !== null) nameAgain(accountId, submission, state)
  }

  settle({ mark }: StaleDay): void {
    this.statements.end.run(mark)
  }

  giveUp(key: StaleDay): void {
    this.settle(key)
  }
}

function dayStatements({ raw }: Connection) {
  return {
    next: raw.query<StaleDay, []>('SELECT mark, account_row AS accountRow, day FROM stale_day ORDER BY mark LIMIT 1'),
    isMarked: raw.query<object, [number]>('SELECT 1 FROM stale_day WHERE mark = ?'),
    others: raw.query<{ key: EntryKey }, [number, number, number]>(
      `SELECT sequence AS key FROM submission_fact WHERE account_row = ? AND lead_day = ? AND ${isOfOthers} AND sequence > ?
       ORDER BY sequence LIMIT ${leadsPerPart}`,
    ),
    end: raw.query<null, [number]>('DELETE FROM stale_day WHERE mark = ?'),
  }
}
