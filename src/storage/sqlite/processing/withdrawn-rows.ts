import type { Database } from 'bun:sqlite'
import { leadMeasures } from '../../../processing/figures/measures.ts'
import type { Submissions } from '../../../processing/submissions/submissions.ts'
import { NamedPersons } from './person-rows.ts'
import { StaleMarks } from './stale-marks.ts'

/** What submissions leave behind that an operator refuses, and find again when they are released. */
export class WithdrawnRows {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly persons: NamedPersons
  private readonly marks: StaleMarks

  constructor(raw: Database) {
    this.statements = prepareStatements(raw)
    this.persons = new NamedPersons(raw)
    this.marks = new StaleMarks({ raw })
  }

  keep({ withdrawn, released }: Pick<Submissions, 'withdrawn' | 'released'>): void {
    const { statements, marks } = this
    for (const { key, submission, refusedAt } of withdrawn) {
      marks.entry(key)
      const sender = statements.sender.get(key)
      statements.withdraw.run(refusedAt, key)
      statements.forgetGoals.run(key)
      statements.unsend.run(key)
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
    unsend: raw.query<null, [number]>(`DELETE FROM delivery WHERE sequence = ? AND state = 'waiting'`),
  }
}
