import { ApiError } from './api-error.ts'
import type { ApiEndpoint } from './endpoint.ts'

/**
 * The revisions that a call names in `If-Match`, without quotes; `null`: it applies to any. The operation compares them, under the
 * lock with which it writes.
 *
 * @throws ApiError 428 without `If-Match` where a call overwrites something (RFC 6585 section 3); 412 where there is no ETag that it
 * could name (RFC 9110 section 13.1.1)
 */
export function knownRevisions({ method, ifMatch }: ApiEndpoint, { headers }: Request): string[] | null {
  const written = headers.get('if-match')
  if (written === null && ifMatch === 'required') throw new ApiError('precondition_required')
  const named = written?.split(',').map((tag) => tag.trim().replaceAll('"', '')) ?? ['*']
  if (method === 'GET' || named.includes('*')) return null
  if (ifMatch === undefined) throw new ApiError('changed_meanwhile', 'This address takes no If-Match. Leave it out.')
  return named
}

export const etagOf = (revision: string): { etag: string } => ({ etag: `"${revision}"` })
