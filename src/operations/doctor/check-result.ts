import type { Remedy } from './remedy.ts'

/** The result of one check of `capture doctor`. */
export interface CheckResult {
  /** The name of the check, such as `config` or `disk`. */
  check: string
  /** `fault`: the box does not work as it should. `warning`: the operator should look at it. */
  status: 'ok' | 'warning' | 'fault'
  /** The finding in one sentence. */
  found: string
  /** What to do; `null`: nothing. */
  advice: string | null
  /** The advice as data, where its command has an equal in the console. */
  remedy?: Remedy
}

export const ok = (check: string, found: string): CheckResult => ({ check, status: 'ok', found, advice: null })

export const warning = (check: string, found: string, advice: string, remedy?: Remedy): CheckResult => ({
  check,
  status: 'warning',
  found,
  advice,
  ...(remedy && { remedy }),
})

export const fault = (check: string, found: string, advice: string, remedy?: Remedy): CheckResult => ({
  check,
  status: 'fault',
  found,
  advice,
  ...(remedy && { remedy }),
})

/** The first results, and one in place of the others. */
export const firstResults = (
  results: CheckResult[],
  shownMax: number,
  others: (count: number) => CheckResult,
): CheckResult[] =>
  results.length <= shownMax ? results : [...results.slice(0, shownMax), others(results.length - shownMax)]

/** As `doctor --json` prints it. */
export const checkJson = ({ check, status, found, advice }: CheckResult) => ({ check, status, found, advice })
