import { timestamp } from '../../lib/quantities.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** Warns about removed accounts whose records are not completely deleted. */
export function examineRemovals(database: Pick<DatabaseInspector, 'unfinishedRemovals'>): CheckResult[] {
  return database
    .unfinishedRemovals()
    .map(({ handle, name, begunAt }) =>
      warning(
        'removal',
        `The removal of ${name === null ? 'an account' : `"${name}"`}, begun on ${timestamp(begunAt)}, is not complete.`,
        `If no \`capture account remove\` is running, it was interrupted; finish it: capture account remove ${handle} --yes`,
      ),
    )
}
