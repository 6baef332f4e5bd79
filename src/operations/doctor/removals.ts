import { timestamp } from '../../lib/quantities.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { DatabaseInspector, UnfinishedRemoval } from './inspection.ts'

/** Warns about accounts that are not completely deleted, and about those that have not completely arrived. */
export const examineRemovals = (database: Pick<DatabaseInspector, 'unfinishedRemovals'>): CheckResult[] =>
  database.unfinishedRemovals().map((left) => (left.isArrival ? unfinishedArrival(left) : unfinishedRemoval(left)))

const unfinishedRemoval = ({ handle, name, begunAt }: UnfinishedRemoval): CheckResult =>
  warning(
    'removal',
    `The removal of ${named(name)}, begun on ${timestamp(begunAt)}, is not complete.`,
    `If no \`capture account remove\` is running, it was interrupted; finish it: capture account remove ${handle} --yes`,
  )

const unfinishedArrival = ({ handle, name, begunAt }: UnfinishedRemoval): CheckResult =>
  warning(
    'removal',
    `The move of ${named(name)} to this box, begun on ${timestamp(begunAt)}, is not complete.`,
    `If no \`capture account move\` is running, it was interrupted: run it again with the same file. To do without the account, delete what has arrived: capture account remove ${handle} --yes`,
  )

const named = (name: string | null): string => (name === null ? 'an account' : `"${name}"`)
