/** One thing that `capture doctor` looked at. */
export interface CheckResult {
  /** What was looked at: `config`, `disk`. */
  check: string
  /** `fault`: the box is not as it has to be. `warning`: worth an operator's while. */
  status: 'ok' | 'warning' | 'fault'
  /** What was found, one sentence. */
  found: string
  /** What to do about it; `null`: nothing. */
  advice: string | null
}

export const ok = (check: string, found: string): CheckResult => ({ check, status: 'ok', found, advice: null })

export const warning = (check: string, found: string, advice: string): CheckResult => ({
  check,
  status: 'warning',
  found,
  advice,
})

export const fault = (check: string, found: string, advice: string): CheckResult => ({
  check,
  status: 'fault',
  found,
  advice,
})
