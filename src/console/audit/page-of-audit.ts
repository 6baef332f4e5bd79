import { cursorOf, decoded, type ListAsked } from '../api/cursor.ts'
import type { ListPart } from '../api/list.ts'
import type { AuditEntry, AuditLog } from './audit-log.ts'

/** A page of the audit log, latest first. @throws ApiError `invalid` for an invalid cursor */
export async function pageOfAudit(
  { limit, cursor, q }: ListAsked,
  { audit }: { audit: AuditLog },
): Promise<ListPart<AuditEntry>> {
  const before = cursor === undefined ? undefined : decoded(cursor)
  const found = await audit.read({ limit: limit + 1, before, text: q })
  const items = found.slice(0, limit)
  return { items, next: found.length > limit ? cursorOf(items.at(-1)?.id ?? '') : null }
}
