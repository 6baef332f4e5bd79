import type { Box } from '../box.ts'

/** What is known of a target without asking it. Instants are ISO 8601. */
export interface KnownTarget {
  url: string
  /** Everything before this instant is there; `null`: nothing is. */
  safeAt: string | null
  /** The latest base. */
  baseAt: string | null
  /** Why the latest attempt failed; completes "The target …". `null`: it succeeded. */
  fault: { message: string; since: string } | null
}

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** The targets of the box, in the order of `[backup] to`. */
export const knownTargets = ({ config, targetState }: Pick<Box, 'config' | 'targetState'>): KnownTarget[] =>
  config.backup.to.map(targetState).map(({ url, safeAt, baseAt, fault }) => ({
    url,
    safeAt: instant(safeAt),
    baseAt: instant(baseAt),
    fault: fault && { message: fault.message, since: new Date(fault.since).toISOString() },
  }))
