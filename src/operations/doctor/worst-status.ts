import type { CheckResult } from './check-result.ts'

/** `fault` where there is one, else `warning` where there is one. */
export function worstStatus(results: readonly CheckResult[]): CheckResult['status'] {
  if (results.some(({ status }) => status === 'fault')) return 'fault'
  return results.some(({ status }) => status === 'warning') ? 'warning' : 'ok'
}
