import { type Repeat, toldAgain } from '../../../processing/submissions/repeats.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'
import type { DayFigures } from './day-figures.ts'
import { LeadSources } from './lead-sources.ts'
import type { FoundRecord } from './own-records.ts'

/** Submissions looked at before others get their turn. */
const rowsPerTurn = 500
/** Submissions changed in one transaction: a few milliseconds. */
const changesPerStep = 50

/** Submissions that are erased, by what they have in common with others. */
interface Group {
  accountRow: number
  fingerprint: string
  gone: Repeat[]
}

/**
 * Submissions that stay, and repeat one that is erased: the first of them is a lead then, and the others repeat that one.
 * To be told before the records go, by which an interrupted erasure finds them again; and once more behind that, of what
 * came in meanwhile.
 */
export class FreedRepeats {
  private readonly statements: ReturnType<typeof prepareStatements>
  private readonly sources: LeadSources

  constructor(
    private readonly connection: Connection,
    private readonly figures: DayFigures,
  ) {
    this.statements = prepareStatements(connection)
    this.sources = new LeadSources(connection)
  }

  async groupsOf(records: readonly FoundRecord[]): Promise<Group[]> {
    const groups = new Map<string, Group>()
    const submissions = records.filter(({ kind }) => kind === entryKinds.submission).map(({ sequence }) => sequence)
    for (let from = 0; from < submissions.length; from += rowsPerTurn) {
      const rows = this.statements.gone.all(JSON.stringify(submissions.slice(from, from + rowsPerTurn)))
      for (const { accountRow, fingerprint, ...repeat } of rows) {
        const group = groups.get(fingerprint) ?? { accountRow, fingerprint, gone: [] }
        group.gone.push(repeat)
        groups.set(fingerprint, group)
      }
      await Bun.sleep(0)
    }
    return [...groups.values()]
  }

  async tellAgain(groups: readonly Group[]): Promise<void> {
    for (const group of groups) {
      const changes = [...toldAgain(await this.left(group), group.gone)]
      for (let from = 0; from < changes.length; from += changesPerStep) {
        this.connection.db.transaction(
          () => {
            for (const [repeat, original] of changes.slice(from, from + changesPerStep)) this.keep(repeat, original)
          },
          { behavior: 'immediate' },
        )
        await breath()
      }
    }
  }

  private async left({ accountRow, fingerprint, gone }: Group): Promise<Repeat[]> {
    const left: Repeat[] = []
    const goneIds = new Set(gone.map(({ id }) => id))
    for (let after = { receivedAt: -1, sequence: 0 }; ; ) {
      const rows = this.statements.alike.all(accountRow, fingerprint, after.receivedAt, after.sequence)
      left.push(...rows.filter(({ id }) => !goneIds.has(id)))
      const last = rows.at(-1)
      if (last === undefined) return left
      after = last
      await Bun.sleep(0)
    }
  }

  private keep({ sequence, duplicateOf }: Repeat, original: string | null): void {
    const fact = this.statements.retell.get(original, sequence, duplicateOf)
    if (fact === null || original !== null || fact.day === null) return
    const { accountRow, formId, day } = fact
    const source = this.sources.of(fact.last === null ? null : JSON.parse(fact.last), { accountRow, day })
    this.statements.countAsLead.run(source, sequence)
    this.figures.change(accountRow, { day, measure: 'duplicate', name: formId, count: -1 })
    this.figures.change(accountRow, { day, measure: 'lead', name: formId, count: 1 })
    this.figures.change(accountRow, { day, measure: 'lead_source', name: source, count: 1 })
  }
}

interface RetoldRow {
  accountRow: number
  formId: string
  day: number | null
  last: string | null
}

function prepareStatements({ raw }: Connection) {
  const repeat = 'sequence, fact.id, received_at AS receivedAt, released_at AS releasedAt, duplicate_of AS duplicateOf'
  return {
    // Who names an address is repeated by the same person alone.
    gone: raw.query<Repeat & { accountRow: number; fingerprint: string }, [string]>(
      `SELECT account_row AS accountRow, fingerprint, ${repeat}
       FROM json_each(?) asked CROSS JOIN submission_fact fact ON sequence = asked.value
       WHERE fingerprint IS NOT NULL AND person_row IS NULL`,
    ),
    alike: raw.query<Repeat, [number, string, number, number]>(
      `SELECT ${repeat} FROM submission_fact fact
       WHERE account_row = ? AND fingerprint = ? AND (received_at, sequence) > (?, ?)
       ORDER BY received_at, sequence LIMIT ${rowsPerTurn}`,
    ),
    retell: raw.query<RetoldRow, [string | null, number, string | null]>(
      `UPDATE submission_fact SET duplicate_of = ? WHERE sequence = ? AND duplicate_of = ?
       RETURNING account_row AS accountRow, form_id AS formId, lead_day AS day, last_touch AS last`,
    ),
    countAsLead: raw.query<null, [string, number]>('UPDATE submission_fact SET lead_source = ? WHERE sequence = ?'),
  }
}
