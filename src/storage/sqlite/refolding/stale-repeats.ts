import type { Touch } from '../../../processing/attribution/touch.ts'
import { type CountedSubmission, figuresOfSubmission, leadMeasures } from '../../../processing/figures/measures.ts'
import { type Repeat, relinked } from '../../../processing/submissions/repeats.ts'
import { countedNames } from '../../../processing/submissions/submission-origin.ts'
import type { Connection } from '../database/connection.ts'
import { writeTransaction } from '../database/write-transaction.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import type { Folding } from '../processing/folding.ts'
import { type Correction, correct } from './correct.ts'
import type { WorkTurn } from './work-turn.ts'

/** Submissions read at a time or changed in one transaction: a millisecond or two. */
const rowsPerPart = 500
const changesPerPart = 25

/** Submissions with the same fingerprint. */
interface Group {
  accountRow: number
  fingerprint: string
}

/**
 * Submissions that repeated erased ones: the first remaining one becomes a lead, and the others repeat it. Decided by
 * the pure rule over all submissions of the fingerprint, whoever sent them.
 */
export class StaleRepeats {
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(
    private readonly connection: Connection,
    private readonly folding: Folding,
    private readonly turn: WorkTurn,
  ) {
    this.statements = prepareStatements(connection)
  }

  /** Derives the first group again, one part each turn; `null`: none is stale. */
  next(): { work: Generator<void, void>; giveUp: () => void } | null {
    const group = this.statements.first.get()
    return group && { work: this.tellAgain(group), giveUp: () => this.end(group, this.goneOf(group)) }
  }

  private *tellAgain(group: Group): Generator<void, void> {
    const gone = this.goneOf(group)
    const left = yield* this.left(group)
    const latest = left.reduce((latest, { sequence }) => Math.max(latest, sequence), 0)
    const changes = [...relinked(left, gone)]
    for (let from = 0; from < changes.length; from += changesPerPart) {
      writeTransaction(this.connection, () => {
        correct(this.folding, group.accountRow, (correction) => {
          for (const change of changes.slice(from, from + changesPerPart)) this.keep(change, correction)
        })
      })
      if (this.turn.isOver()) yield
    }
    // A submission that came in meanwhile may also repeat an erased one: then the group is derived once more.
    writeTransaction(this.connection, () => {
      if (this.statements.later.get(group.accountRow, group.fingerprint, latest) === null) this.end(group, gone)
    })
  }

  private *left({ accountRow, fingerprint }: Group): Generator<void, Repeat[]> {
    const left: Repeat[] = []
    for (let after = { receivedAt: -1, sequence: 0 }; ; ) {
      const rows = this.statements.alike.all(accountRow, fingerprint, after.receivedAt, after.sequence)
      left.push(...rows)
      const last = rows.at(-1)
      if (last === undefined || rows.length < rowsPerPart) return left
      after = last
      yield
    }
  }

  private keep([{ sequence, duplicateOf }, original]: [Repeat, string | null], { accountId, state }: Correction): void {
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

  private goneOf({ accountRow, fingerprint }: Group): Repeat[] {
    return this.statements.gone.all(accountRow, fingerprint)
  }

  private end({ accountRow, fingerprint }: Group, gone: readonly Repeat[]): void {
    const latest = gone.reduce((latest, { sequence }) => Math.max(latest, sequence), 0)
    this.statements.end.run(accountRow, fingerprint, latest)
  }
}

interface RetoldRow {
  formId: string
  day: number | null
  last: string | null
}

function prepareStatements({ raw }: Connection) {
  const repeat = 'sequence, id, received_at AS receivedAt, duplicate_of AS duplicateOf'
  const inGroup = 'account_row = ? AND fingerprint = ?'
  return {
    first: raw.query<Group, []>('SELECT account_row AS accountRow, fingerprint FROM stale_repeat LIMIT 1'),
    gone: raw.query<Repeat, [number, string]>(
      `SELECT ${repeat}, sequence AS countedBy FROM stale_repeat WHERE ${inGroup}`,
    ),
    alike: raw.query<Repeat, [number, string, number, number]>(
      `SELECT ${repeat}, coalesce(
         (SELECT release.sequence FROM ledger release WHERE release.account_row = fact.account_row
          AND release.kind = ${decisionKinds.release} AND release.id = fact.id), sequence) AS countedBy
       FROM submission_fact fact WHERE ${inGroup} AND (received_at, sequence) > (?, ?)
       ORDER BY received_at, sequence LIMIT ${rowsPerPart}`,
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
