import { plural } from '../../lib/quantities.ts'
import { chainFaultAdvice, chainFaultWords } from '../audit/chain-check.ts'
import { type CheckResult, fault, ok } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** About as many as a box writes in a month, read in a tenth of a second. */
const linesMax = 10_000

/** Whether the last lines of the audit log are as they were written; `audit verify` reads all of them. */
export function examineAudit(database: Pick<DatabaseInspector, 'auditChain'>): CheckResult {
  const { lines, fault: found } = database.auditChain(linesMax)
  if (found === null) return ok('audit', `The last ${plural(lines, 'line')} of the audit log are as they were written.`)
  return fault(
    'audit',
    `The audit log was changed by something other than Capture: ${chainFaultWords(found)}`,
    `${chainFaultAdvice}; \`capture audit verify\` reads every line.`,
  )
}
