import type { AuditLine, AuditLog } from '../../audit/audit-log.ts'
import { cursorOf, type ListAsked, placeIn } from '../cursor.ts'
import type { ListPart } from '../list.ts'

/** Cursors name the last entry shown by its id. */
const entryId = /^([0-9a-f-]{36})$/

/** A page of the audit log, latest first. @throws ApiError `invalid` for an invalid cursor */
export async function pageOfAudit(
  { limit, cursor, q }: ListAsked,
  { audit }: { audit: AuditLog },
): Promise<ListPart<AuditLine>> {
  const before = placeIn(cursor, entryId)?.[0]
  const found = await audit.read({ limit: limit + 1, before, text: q })
  const items = found.slice(0, limit)
  return { items, next: found.length > limit ? cursorOf(items.at(-1)?.id ?? '') : null }
}
