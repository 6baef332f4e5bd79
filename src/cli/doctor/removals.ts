import { timestamp } from '../../lib/quantities.ts'
import { unfinishedRemovals } from '../../storage/sqlite/account-removal.ts'
import type { Connection } from '../../storage/sqlite/connection.ts'
import { type Finding, warning } from './finding.ts'

/** Accounts that are gone for visitors, and of which something is still kept. */
export function examineRemovals(reader: Connection): Finding[] {
  return unfinishedRemovals(reader).map(({ handle, name, begunAt }) =>
    warning(
      'removal',
      `The removal of ${name === null ? 'an account' : `"${name}"`}, begun on ${timestamp(begunAt)}, has not come to its end.`,
      `If no \`capture account remove\` is running, it was interrupted; finish it: capture account remove ${handle} --yes`,
    ),
  )
}
