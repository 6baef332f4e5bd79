import type { KeptName } from '../kept-name.ts'
import { isRestored, withClockSteppedBack } from './due.ts'
import { active, newName, removed, returned } from './name-steps.ts'

/** A name that should have a certificate. */
export interface ConfiguredName {
  /** Lower-case, IDN as punycode. */
  host: string
  /** Id of the account that owns the domain; `''`: the box. */
  accountId: string
}

/** The changes that make the stored names match the configuration and the clock. */
export function reconciled(
  kept: readonly KeptName[],
  configured: readonly ConfiguredName[],
  { whyNotPublic, now }: { whyNotPublic: (host: string) => string | null; now: number },
): KeptName[] {
  const known = new Map(kept.map((name) => [name.host, name]))
  const hosts = new Set(configured.map(({ host }) => host))
  const added = [...hosts].filter((host) => !known.has(host)).map((host) => newName(host, whyNotPublic(host), now))
  const changed = kept.flatMap((name) => {
    const next = withClockSteppedBack(brought(name, hosts, { whyNotPublic, now }), now)
    return next === name ? [] : [next]
  })
  return [...added, ...changed]
}

function brought(
  name: KeptName,
  hosts: ReadonlySet<string>,
  { whyNotPublic, now }: { whyNotPublic: (host: string) => string | null; now: number },
): KeptName {
  if (!hosts.has(name.host)) return name.removedAt === null || name.removedAt > now ? removed(name, now) : name
  if (name.removedAt !== null) return returned(name, whyNotPublic(name.host), now)
  return isRestored(name, now) ? active(name, now) : name
}
