import type { HttpsConfig } from '../../config/https.ts'
import { knownDirectoryAt } from '../../https/acme/authority.ts'
import { persistRecordName, persistRecordValue } from '../../https/acme/persist-record.ts'
import type { CertificateStore } from '../../https/certificate-store.ts'
import type { DomainStatus } from '../../https/domain-status.ts'
import { directoryUrl } from '../../https/keeper/targets.ts'

/** The authority that issues certificates, as CAA records identify it. */
export interface MetAuthority {
  /** Issuer names for CAA records; empty: unknown. */
  caaIdentities: readonly string[]
  /** URL of the box's account at the authority; `null`: there is none yet. */
  accountUrl: string | null
}

/** Limits the request for an unknown authority's directory. */
const offerMsMax = 5000

/**
 * The authority of the box. One that is not built in is asked for its CAA names, unless `isAsked` is false: who waits for a page
 * must not wait for it. An authority that does not answer counts as having none.
 */
export async function authorityOf(
  https: Pick<HttpsConfig, 'mode' | 'directory' | 'caFile'>,
  certificates: Pick<CertificateStore, 'account'>,
  isAsked = true,
): Promise<MetAuthority> {
  if (https.mode !== 'auto') return { caaIdentities: [], accountUrl: null }
  const url = directoryUrl(https.directory)
  const account = await certificates.account(url)
  const caaIdentities =
    knownDirectoryAt(url)?.caaIdentities ?? (isAsked ? await offeredIdentities(url, https.caFile) : [])
  return { caaIdentities, accountUrl: account?.url ?? null }
}

async function offeredIdentities(directoryUrl: string, caFile: string | null): Promise<readonly string[]> {
  const { openAuthority } = await import('../../https/acme/open-authority.ts')
  try {
    const authority = openAuthority({ directoryUrl, trusted: caFile, userAgent: 'capture' })
    return (await authority.offer(AbortSignal.timeout(offerMsMax))).caaIdentities
  } catch {
    return []
  }
}

/** A TXT record that can replace validation over port 80 (`dns-persist-01`). */
export interface PersistRecord {
  name: string
  value: string
}

/**
 * The record for each name without a certificate, by host. Empty while the box has no account at the authority, or if the
 * authority's CAA name is unknown.
 */
export function persistRecords(
  statuses: readonly DomainStatus[],
  { caaIdentities, accountUrl }: MetAuthority,
): Map<string, PersistRecord> {
  const [issuer] = caaIdentities
  if (issuer === undefined || accountUrl === null) return new Map()
  const value = persistRecordValue(issuer, accountUrl)
  return new Map(statuses.filter(isWithout).map(({ host }) => [host, { name: persistRecordName(host), value }]))
}

/** Whether the name lacks the certificate that it should have. */
export const isWithout = ({ state }: Pick<DomainStatus, 'state'>): boolean => state === 'waiting' || state === 'failing'
