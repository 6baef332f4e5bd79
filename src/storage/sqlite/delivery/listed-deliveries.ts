import type { Destination } from '../../../account/destination.ts'
import type { DeliveryPage, DeliveryQuery, ListedDelivery } from '../../../delivery/delivery-desk.ts'
import type { Connection } from '../database/connection.ts'

type Reader = Pick<Connection, 'raw'>

export const accountRow = '(SELECT row FROM account WHERE id = ?1)'

/** What waits for a removed destination is about to be deleted. */
export const listed = `
  SELECT delivery.row, delivery.id, name, definition, submission_id AS submissionId, state, paused_at AS pausedAt, attempts,
    delivery.created_at AS createdAt, next_at AS nextAt, last_status AS lastStatus, last_error AS lastError
  FROM delivery JOIN destination ON destination.row = delivery.destination_row
  WHERE delivery.account_row = ${accountRow} AND (state <> 'waiting' OR removed_at IS NULL)`

export interface DeliveryRow extends Omit<ListedDelivery, 'destination' | 'kind' | 'paused' | 'nextAt'> {
  row: number
  name: string
  definition: string
  pausedAt: number | null
  nextAt: number
}

export function listedDelivery({ name, definition, pausedAt, nextAt, ...row }: DeliveryRow): ListedDelivery {
  const { kind } = JSON.parse(definition) as Destination
  const { id, state, submissionId, attempts, createdAt, lastStatus, lastError } = row
  const whose = { id, destination: name, kind, submissionId, state, paused: pausedAt !== null }
  return { ...whose, attempts, createdAt, nextAt: state === 'waiting' ? nextAt : null, lastStatus, lastError }
}

/** Rows that one part of a search looks at, a few ms; the next part continues from there. */
const searchedMax = 1000
/** Spelled out for the partial index. */
const isFailed = "AND delivery.state = 'failed'"
const isFound = `(delivery.id = ?5 OR submission_id = ?5 OR instr(lower(name), lower(?5)) > 0
  OR instr(lower(coalesce(last_error, '')), lower(?5)) > 0)`

/** One page of an account's deliveries, latest first. */
export function pageOfDeliveries(reader: Reader, query: DeliveryQuery): DeliveryPage {
  const { accountId, state, q, limit, behind } = query
  const from = behind === null ? Number.MAX_SAFE_INTEGER : Number(behind)
  const floor = floorOf(reader, query, from)
  const rows = reader.raw
    .query<DeliveryRow, [string, number, number, string | null, string | null, number]>(
      `${listed} ${state === 'failed' ? isFailed : ''} AND delivery.row < ?2 AND delivery.row >= ?3
       AND (?4 IS NULL OR state = ?4) AND (?5 IS NULL OR ${isFound})
       ORDER BY delivery.row DESC LIMIT ?6`,
    )
    .all(accountId, from, floor, state, q, limit + 1)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? (page.at(-1)?.row ?? 0) : floor
  return { deliveries: page.map(listedDelivery), next: last === 0 ? null : String(last) }
}

/** The last row that a page of a search looks at; 0: no limit. */
function floorOf({ raw }: Reader, { accountId, state, q }: DeliveryQuery, from: number): number {
  if (q === null && (state === null || state === 'failed')) return 0
  const floor = raw
    .query<{ row: number }, [string, number]>(
      `SELECT row FROM delivery WHERE account_row = ${accountRow} AND row < ?2 ORDER BY row DESC LIMIT 1 OFFSET ${searchedMax - 1}`,
    )
    .get(accountId, from)
  return floor?.row ?? 0
}
