import { partitionPoint } from '../../../lib/partition-point.ts'
import type { SubmissionOrigin } from '../../../processing/submissions/submission-fact.ts'
import type { Connection } from '../database/connection.ts'
import { entryKinds } from '../ledger/ledger-codec.ts'

/** Page views looked at before others get their turn. */
const rowsPerTurn = 500

interface Place {
  receivedAt: number
  sequence: number
}

/** The landing pages that a device was served, but for those whose views are erased. */
export class PagesLeft {
  private constructor(
    private readonly connection: Connection,
    /** In order of receipt. */
    private readonly views: readonly Place[],
  ) {}

  static async of(connection: Connection, deviceRow: number, erased: ReadonlySet<number>): Promise<PagesLeft> {
    const page = connection.raw.query<Place, [number, number, number]>(
      `SELECT received_at AS receivedAt, sequence FROM device_entry
       WHERE device_row = ? AND (received_at, sequence) > (?, ?) AND kind = ${entryKinds.page_view}
       ORDER BY received_at, sequence LIMIT ${rowsPerTurn}`,
    )
    const views: Place[] = []
    for (let after: Place = { receivedAt: -1, sequence: 0 }; ; ) {
      const rows = page.all(deviceRow, after.receivedAt, after.sequence)
      views.push(...rows.filter(({ sequence }) => !erased.has(sequence)))
      const last = rows.at(-1)
      if (last === undefined) return new PagesLeft(connection, views)
      after = last
      await Bun.sleep(0)
    }
  }

  /** The one that was served last before the submission: of its millisecond, one that was committed before it. */
  before(submission: Place): SubmissionOrigin['page'] {
    const view = this.views[partitionPoint(this.views, (view) => isBefore(view, submission)) - 1]
    if (view === undefined) return null
    return this.connection.raw
      .query<NonNullable<SubmissionOrigin['page']>, [number]>(
        `SELECT received_at AS at, record ->> '$.slug' AS slug, record ->> '$.sha256' AS sha256
         FROM ledger WHERE sequence = ? AND json_valid(record)`,
      )
      .get(view.sequence)
  }
}

const isBefore = (one: Place, other: Place): boolean =>
  one.receivedAt === other.receivedAt ? one.sequence < other.sequence : one.receivedAt < other.receivedAt
