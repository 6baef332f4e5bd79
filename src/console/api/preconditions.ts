import type { ConsoleBox } from '../console-box.ts'
import { ApiError } from './api-error.ts'
import type { AccountCall, ApiCall, ApiEndpoint } from './endpoint.ts'

/**
 * A call that overwrites something must name the state that it overwrites (RFC 9110 section 13.1.1, RFC 6585 section 3).
 *
 * @throws ApiError 428 without `If-Match`, 412 when it names another state
 */
export async function assertUnchanged(endpoint: ApiEndpoint, call: ApiCall, box: ConsoleBox): Promise<void> {
  const { method, revision } = endpoint
  if (revision === undefined || (method !== 'PUT' && method !== 'DELETE')) return
  const named = namedTags(call.request)
  if (named === null) throw new ApiError('precondition_required')
  const current = await revision(call as AccountCall, box)
  if (!named.includes(current) && !named.includes('*'))
    throw new ApiError('changed_meanwhile', undefined, { etag: current })
}

/** The revisions in an optional `If-Match`; `null`: the call applies to any revision. */
export function knownRevisions(request: Request): string[] | null {
  const named = namedTags(request)
  return named === null || named.includes('*') ? null : named.map((tag) => tag.replaceAll('"', ''))
}

export const etagOf = (revision: string): string => `"${revision}"`

function namedTags({ headers }: Request): string[] | null {
  const written = headers.get('if-match')
  return written === null ? null : written.split(',').map((tag) => tag.trim())
}
