/** What is wrong and what to do about it, as sentences. */
export interface Diagnosis {
  found: string
  advice: string
}

/** What a check of the box came to. `capture doctor`, its API, the console's overview and Health all show this. */
export interface CheckResult {
  /** The name of the check, such as `config` or `disk`. */
  check: string
  /** `fault`: the box does not work as it should. `warning`: the operator should look at it. */
  status: 'ok' | 'warning' | 'fault'
  /** One sentence, with since when. */
  found: string
  /** What to do, with the command; `null`: nothing. */
  advice: string | null
  /** It holds, within a limit that is good to know. */
  isNote?: true
  /** Since when a destination has failed; absent: it is nothing of that kind. */
  failingSince?: number
  /** What the problem is of, where check and page do not tell: a destination, a host. Never changes while it lasts. */
  about?: string
  /** Lines of site.toml to paste; absent: none. */
  lines?: string
  /** What to set in capture.toml, with examples for what only the operator knows; absent: nothing. */
  settings?: { table: string; lines: string }
  /** Handles of the accounts that it concerns, where the page does not tell; absent: none. */
  accounts?: readonly string[]
  /** The console's page for the same, for those who never saw a command. */
  page?: ResultPage
}

/** A page of the console; `account` is a handle, `null`: the box itself. */
export type ResultPage = (
  | { name: 'backups' | 'health' | 'overview' }
  | { name: 'domains'; account: string | null }
  | { name: 'deliveries' | 'persons' | 'refusals' | 'settings'; account: string }
) & {
  /** What to do there, with `{page}` where the link stands; absent: the link says enough. */
  todo?: string
}

type More = Pick<CheckResult, 'page' | 'lines' | 'settings' | 'about' | 'accounts' | 'failingSince'>

export const ok = (check: string, found: string): CheckResult => ({ check, status: 'ok', found, advice: null })

export const note = (check: string, found: string): CheckResult => ({ ...ok(check, found), isNote: true })

export const warning = (check: string, found: string, advice: string, more: More = {}): CheckResult => ({
  ...{ check, status: 'warning', found, advice },
  ...more,
})

export const fault = (check: string, found: string, advice: string, more: More = {}): CheckResult => ({
  ...{ check, status: 'fault', found, advice },
  ...more,
})

/** The first results, and one in place of the others. */
export const firstResults = (
  all: CheckResult[],
  shownMax: number,
  others: (count: number) => CheckResult,
): CheckResult[] => (all.length <= shownMax ? all : [...all.slice(0, shownMax), others(all.length - shownMax)])

const weights = { ok: 0, warning: 1, fault: 2 }

/** Sorts the worst first. */
export const byWeight = (one: CheckResult, other: CheckResult): number => weights[other.status] - weights[one.status]

export const worstStatus = (results: readonly CheckResult[]): CheckResult['status'] =>
  [...results].sort(byWeight)[0]?.status ?? 'ok'

/** As `doctor --json` and the API have it. */
export const checkJson = ({ check, status, found, advice }: CheckResult) => ({ check, status, found, advice })
