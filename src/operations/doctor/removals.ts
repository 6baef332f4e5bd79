import { timestamp } from '../../lib/quantities.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** Accounts that are gone for visitors, and of which something is still kept. */
export function examineRemovals(database: Pick<DatabaseInspector, 'unfinishedRemovals'>): CheckResult[] {
  return database
    .unfinishedRemovals()
    .map(({ handle, name, begunAt }) =>
      warning(
        'removal',
        `The removal of ${name === null ? 'an account' : `"${name}"`}, begun on ${timestamp(begunAt)}, has not come to its end.`,
        `If no \`capture account remove\` is running, it was interrupted; finish it: capture account remove ${handle} --yes`,
      ),
    )
}
