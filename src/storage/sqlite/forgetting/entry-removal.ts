import { figuresTakenBack } from '../../../processing/figures/hit-bits.ts'
import { goalFigures } from '../../../processing/goals/goal-figures.ts'
import { leadFigures } from '../../../processing/submissions/submission-origin.ts'
import type { Connection } from '../database/connection.ts'
import { decisionKinds } from '../ledger/decision-codec.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import { recordField } from '../lookup/record-field.ts'
import { QuarantineCounts } from '../processing/quarantine-counts.ts'
import { type LeadColumns, leadOf } from '../processing/submission-rows.ts'
import type { FigureChange } from '../refolding/day-figures.ts'

/** A removed entry and what it had added to the figures. */
export interface RemovedEntry {
  accountRow: number
  /** See `entryKinds` in ledger-codec.ts. */
  kind: number
  id: string
  /** Epoch milliseconds. */
  receivedAt: number
  /** `null`: it named no known device. */
  deviceRow: number | null
  personRow: number | null
  /** What its hit counted for which day, by the bits of hit-bits.ts; `null`: it was not a hit. */
  hit: { day: number; counted: number } | null
  figures: FigureChange[]
}

interface EntryRow {
  accountRow: number
  /** Page views only: the landing page. */
  slug: string | null
  kind: number
  id: string
  receivedAt: number
  deviceRow: number | null
}

interface SubmissionRow extends LeadColumns {
  formId: string
  personRow: number | null
  leadDay: number | null
  isKeptAside: number
}

interface HitRow {
  day: number
  counted: number
}

interface ClickRow {
  day: number
  message: string
  verdict: 'human' | 'suspected' | 'machine'
}

/**
 * Removes entries of the ledger with everything derived from each alone; call in a transaction. The caller settles the
 * days on which a device viewed something.
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
    const entry = this.statements.entry.get(sequence)
    if (entry === null) return null
    const submission = this.statements.submission.get(sequence)
    const hit = this.removeHit(sequence, entry)
    const figures = [
      ...hitFigures(hit, entry.slug),
      ...this.clickFigures(sequence),
      ...this.goalFigures(sequence),
      ...(submission === null ? [] : submissionFigures(submission)),
    ]
    this.statements.removeSubmission.run(sequence)
    if (submission?.isKeptAside) this.quarantine.remove(entry)
    if (entry.kind === entryKinds.submission) this.removeRelease(entry)
    this.removeFromLedger(sequence)
    return { ...entry, personRow: submission?.personRow ?? null, hit, figures }
  }

  /** A release is kept as long as its submission. */
  private removeRelease({ accountRow, id }: EntryRow): void {
    const release = this.statements.release.get(accountRow, id)
    if (release !== null) this.removeFromLedger(release.sequence)
  }

  private removeFromLedger(sequence: number): void {
    this.statements.removeSetAside.run(sequence)
    this.statements.removeEntry.run(sequence)
  }

  private removeHit(sequence: number, { deviceRow, receivedAt, id }: EntryRow): HitRow | null {
    if (deviceRow === null) return null
    this.statements.removeTouch.run(deviceRow, receivedAt, id)
    this.statements.removeTraits.run(deviceRow, receivedAt, id)
    return this.statements.removeHit.get(deviceRow, receivedAt, sequence)
  }

  private goalFigures(sequence: number): FigureChange[] {
    const done = this.statements.removeGoals.get(sequence)
    if (done === null) return []
    const { day } = done
    const goals = { targets: JSON.parse(done.targets), counted: JSON.parse(done.counted) }
    return goalFigures(goals).map((figure) => ({ ...figure, day, count: -1 }))
  }

  private clickFigures(sequence: number): FigureChange[] {
    const click = this.statements.removeClick.get(sequence)
    if (click === null) return []
    return [{ day: click.day, measure: `click_${click.verdict}`, name: click.message, count: -1 }]
  }
}

const hitFigures = (hit: HitRow | null, slug: string | null): FigureChange[] =>
  hit === null ? [] : figuresTakenBack(hit.counted, slug).map((figure) => ({ ...figure, day: hit.day, count: -1 }))

/** A lead counts by form and by source, a likely duplicate by form, a quarantined submission nowhere. */
function submissionFigures(submission: SubmissionRow): FigureChange[] {
  const { formId, leadDay: day } = submission
  const lead = leadOf(submission)
  if (day === null) return []
  if (lead === null) return [{ day, measure: 'duplicate', name: formId, count: -1 }]
  return [
    { day, measure: 'lead', name: formId, count: -1 },
    ...leadFigures(lead).map((figure) => ({ ...figure, day, count: -1 })),
  ]
}

function prepareStatements({ raw }: Connection) {
  return {
    // A record that was set aside may not even be JSON.
    entry: raw.query<EntryRow, [number]>(
      `SELECT account_row AS accountRow, kind, id, received_at AS receivedAt,
         ${recordField('slug')} AS slug,
         (SELECT device.row FROM device WHERE device.account_row = ledger.account_row
          AND device.id = ${recordField('deviceId')}) AS deviceRow
       FROM ledger WHERE sequence = ?`,
    ),
    removeTouch: raw.query<null, [number, number, string]>(
      'DELETE FROM touch WHERE device_row = ? AND received_at = ? AND entry_id = ?',
    ),
    removeTraits: raw.query<null, [number, number, string]>(
      'DELETE FROM device_traits WHERE device_row = ? AND received_at = ? AND entry_id = ?',
    ),
    removeHit: raw.query<HitRow, [number, number, number]>(
      `DELETE FROM device_entry WHERE device_row = ? AND received_at = ? AND sequence = ? RETURNING day, counted`,
    ),
    removeClick: raw.query<ClickRow, [number]>(
      'DELETE FROM click_fact WHERE sequence = ? RETURNING day, message, verdict',
    ),
    removeGoals: raw.query<{ day: number; targets: string; counted: string }, [number]>(
      'DELETE FROM goal_entry WHERE sequence = ? RETURNING day, targets, counted',
    ),
    submission: raw.query<SubmissionRow, [number]>(
      `SELECT form_id AS formId, person_row AS personRow, lead_day AS leadDay, lead_source AS leadSource,
         lead_campaign AS leadCampaign, status = 'refused' AND released_at IS NULL AS isKeptAside
       FROM submission_fact WHERE sequence = ?`,
    ),
    release: raw.query<{ sequence: number }, [number, string]>(
      `SELECT sequence FROM ledger WHERE account_row = ? AND kind = ${decisionKinds.release} AND id = ?`,
    ),
    removeSubmission: raw.query<null, [number]>('DELETE FROM submission_fact WHERE sequence = ?'),
    removeSetAside: raw.query<null, [number]>('DELETE FROM set_aside WHERE sequence = ?'),
    removeEntry: raw.query<null, [number]>('DELETE FROM ledger WHERE sequence = ?'),
  }
}
