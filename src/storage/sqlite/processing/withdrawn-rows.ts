import type { Database } from 'bun:sqlite'
import { boxReplyMark } from '../../../account/reply-opt-out.ts'
import { leadMeasures } from '../../../processing/figures/measures.ts'
import type { Submissions } from '../../../processing/submissions/submissions.ts'
import { SqliteReplyConsent } from '../account/reply-consent.ts'
import { withdrawnError } from '../account/withdrawn-delivery.ts'
import { isFollowed } from '../lookup/following.ts'
import { NamedPersons } from './person-rows.ts'
import { StaleMarks } from './stale-marks.ts'

/** What submissions leave behind that an operator refuses, and find again when they are released. */
export class WithdrawnRows {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly persons: NamedPersons
  private readonly marks: StaleMarks
  private readonly consent: SqliteReplyConsent

  constructor(readonly raw: Database) {
    this.statements = prepareStatements(raw)
    this.persons = new NamedPersons(raw)
    this.marks = new StaleMarks({ raw })
    this.consent = new SqliteReplyConsent(raw)
  }

  keep({ withdrawn, released }: Pick<Submissions, 'withdrawn' | 'released'>): void {
    const { statements, marks } = this
    for (const { key, submission, refusedAt, by } of withdrawn) {
      marks.entry(key)
      const sender = statements.sender.get(key)
      statements.withdraw.run(refusedAt, key)
      statements.forgetGoals.run(key)
      // A link brought the leader's deliveries as they are now: a later release may have made them anew.
      if (!isFollowed(this, by)) this.unsend(key, { email: submission.email, refusedAt })
      if (sender === null) continue
      this.persons.untie({ ...sender, receivedAt: submission.receivedAt, id: submission.id })
      if (sender.deviceRow !== null) marks.device(sender.deviceRow)
    }
    // Its goals belong to the visit that it was sent in.
    for (const { key, submission } of released) {
      const deviceRow = submission.status === 'accepted' ? (statements.sender.get(key)?.deviceRow ?? null) : null
      if (deviceRow !== null) marks.device(deviceRow)
    }
  }

  /** What was tried stays, settled: the destination may have it, and an erasure's receipt names it. */
  private unsend(key: number, { email, refusedAt }: { email: string | null; refusedAt: number }): void {
    const { waiting, uncount, unsend, settle } = this.statements
    const rows = waiting.all(key)
    // A mail to the visitor that is taken back no longer counts towards limits.
    if (email !== null && rows.length > 0) {
      const mark = boxReplyMark(email, this.consent.key())
      for (const { destination, at } of rows) uncount.run(destination, mark, at)
    }
    unsend.run(key)
    settle.run(refusedAt, withdrawnError, key)
  }
}

interface SenderRow {
  personRow: number | null
  deviceRow: number | null
}

function prepareStatements(raw: Database) {
  const cleared = ['released_at', 'person_row', 'fingerprint', 'duplicate_of', 'lead_day', ...leadMeasures]
  return {
    sender: raw.query<SenderRow, [number]>(
      'SELECT person_row AS personRow, device_row AS deviceRow FROM submission_fact WHERE sequence = ?',
    ),
    withdraw: raw.query<null, [number, number]>(
      `UPDATE submission_fact SET status = 'refused', refused_at = ?, ${cleared.map((column) => `${column} = NULL`).join()}
       WHERE sequence = ?`,
    ),
    forgetGoals: raw.query<null, [number]>('DELETE FROM goal_entry WHERE sequence = ?'),
    waiting: raw.query<{ destination: number; at: number }, [number]>(
      `SELECT destination_row AS destination, created_at AS at FROM delivery WHERE sequence = ? AND state = 'waiting'`,
    ),
    uncount: raw.query<null, [number, string, number]>(
      'DELETE FROM visitor_reply WHERE destination_row = ? AND address_mark = ? AND at = ?',
    ),
    unsend: raw.query<null, [number]>(
      `DELETE FROM delivery WHERE sequence = ? AND state = 'waiting' AND tried_at IS NULL`,
    ),
    settle: raw.query<null, [number, string, number]>(
      `UPDATE delivery SET state = 'failed', settled_at = ?, last_error = ? WHERE sequence = ? AND state = 'waiting'`,
    ),
  }
}
