import { type DomainStatus, lookedAtStatus } from '../../https/domain-status.ts'
import { readHostname } from '../../lib/hostname.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { nearest } from '../../lib/suggestion.ts'
import type { Box } from '../box.ts'
import { configuredDomains } from './configured-domains.ts'
import { domainStatuses, type StatusSources } from './domain-statuses.ts'
import { type LookSources, lookAtWorld } from './look-at-world.ts'
import { type PersistRecord, persistRecords } from './persist-record.ts'

export interface DomainChecked {
  status: DomainStatus
  /** `null`: it has its certificate, or none is known. */
  persistRecord: PersistRecord | null
  /** What would keep the name from a renewal, though it has its certificate; `null`: nothing. */
  renewalHindrance: string | null
  /** Whether the next try was moved up. */
  isMoved: boolean
}

/**
 * Looks at the world for one name, beside a running service or without one.
 *
 * @param typed the host, as people write it
 * @param isNow moves the next try of the name up
 * @throws OperatorError when the host is not connected to this box
 */
export async function checkDomain(
  box: StatusSources & LookSources & Pick<Box, 'accounts'>,
  typed: string,
  isNow: boolean,
): Promise<DomainChecked> {
  const checked = await checkedDomain(box, typed, isNow)
  const records = await persistRecords([checked.status], box)
  return { ...checked, persistRecord: records.get(checked.status.host) ?? null }
}

async function checkedDomain(
  box: StatusSources & LookSources & Pick<Box, 'accounts'>,
  typed: string,
  isNow: boolean,
): Promise<Omit<DomainChecked, 'persistRecord'>> {
  const domain = await domainNamed(box, typed)
  const { host } = domain
  const [before] = await domainStatuses([domain], box)
  if (before === undefined) throw new Error('A configured domain has a status')
  const look = await lookAtWorld(host, box)
  const unmoved = { renewalHindrance: null, isMoved: false }
  if (look === null) return { status: before, ...unmoved }
  const { observed, hindrance } = look
  if (box.config.https.mode !== 'auto') return { status: { ...before, observed }, ...unmoved }
  const status = lookedAtStatus(before, { observed, hindrance, isRunning: box.isServed() })
  const now = box.clock.now()
  const isMoved = isNow && (await box.certificates.tryNow(host, now))
  return {
    status: isMoved ? { ...status, nextTryAt: now } : status,
    renewalHindrance: status.state === 'active' ? hindrance : null,
    isMoved,
  }
}

async function domainNamed(box: Pick<Box, 'accounts' | 'config'>, typed: string) {
  const domains = await configuredDomains(box)
  const reading = readHostname(typed)
  const host = 'hostname' in reading ? reading.hostname : typed
  const found = domains.find((domain) => domain.host === host)
  if (found !== undefined) return found
  const meant = nearest(
    host,
    domains.map((domain) => domain.host),
  )
  const advice = meant === null ? '`capture domain list` shows those that are.' : `Did you mean ${meant}?`
  throw new OperatorError(`${typed} is not connected to this box. ${advice}`)
}
