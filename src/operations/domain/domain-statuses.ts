import { type Static, Type } from '@sinclair/typebox'
import type { HttpsConfig } from '../../config/https.ts'
import { knownDirectoryAt } from '../../https/acme/authority.ts'
import { persistRecordName, persistRecordValue } from '../../https/acme/persist-record.ts'
import { certificateFacts, checkedPair } from '../../https/certificate-pair.ts'
import type { CertificateStore } from '../../https/certificate-store.ts'
import {
  type ConfiguredDomain,
  type DomainStatus,
  folderStatus,
  keptStatus,
  offStatus,
} from '../../https/domain-status.ts'
import { givenUpAdvice } from '../../https/keeper/name-steps.ts'
import { directoryUrl } from '../../https/keeper/targets.ts'
import { whyNotPublic } from '../../https/name/public-name.ts'
import { instant, instantOrNull } from '../../lib/instant.ts'
import { oneOf, orNull, text, textOrNull, texts } from '../../lib/schema.ts'
import { severalAtOnce } from '../../lib/several-at-once.ts'
import type { Box } from '../box.ts'

export type StatusSources = Pick<Box, 'config' | 'certificates' | 'certificateFiles' | 'isServed' | 'clock'>

const filesAtOnce = 16

const switchedOff =
  '[https] mode is "off": a TLS proxy in front of this box has the certificates, and the box orders none.'

/** The state of each name: in mode `auto` as the service last saw it, in mode `files` from the folder's current content. */
export async function domainStatuses(domains: ConfiguredDomain[], box: StatusSources): Promise<DomainStatus[]> {
  switch (box.config.https.mode) {
    case 'off':
      return domains.map((domain) => offStatus(domain, switchedOff))
    case 'files':
      return severalAtOnce(domains, filesAtOnce, (domain) => statusInFolder(domain, box))
    case 'auto': {
      const kept = new Map((await box.certificates.names()).map((name) => [name.host, name]))
      const isRunning = box.isServed()
      return domains.map((domain) => {
        const whyNot = whyNotPublic(domain.host)
        return whyNot === null
          ? keptStatus(domain, kept.get(domain.host) ?? null, { isRunning })
          : offStatus(domain, whyNot)
      })
    }
  }
}

async function statusInFolder(
  domain: ConfiguredDomain,
  { config, certificateFiles, clock }: StatusSources,
): Promise<DomainStatus> {
  const { host } = domain
  const where = { folder: config.https.folder, whyNot: whyNotPublic(host) }
  const found = await certificateFiles.read(host)
  if (found === null) return folderStatus(domain, null, where)
  if ('fault' in found) return folderStatus(domain, { verdict: found, facts: null }, where)
  const verdict = checkedPair(host, found, clock.now())
  return folderStatus(domain, { verdict, facts: factsOf(found.certificate) }, where)
}

/** The readable facts of an unusable certificate. */
function factsOf(certificate: string) {
  try {
    return certificateFacts(certificate)
  } catch {
    return null
  }
}

/** The object of `domain list` (docs/domains.md). */
export const domainSchema = Type.Object({
  host: text,
  account: textOrNull,
  use: oneOf(['site', 'preview', 'console']),
  state: oneOf(['active', 'waiting', 'failing', 'off']),
  reason: text,
  observed: Type.Object({
    a: texts,
    aaaa: texts,
    cname: textOrNull,
    caa: texts,
    http: oneOf(['ours', 'other', 'none', 'unknown']),
  }),
  certificate: orNull(
    Type.Object({ issuer: text, notBefore: text, notAfter: text, renewAt: textOrNull, serial: text }),
  ),
  nextTryAt: textOrNull,
  persistRecord: Type.Optional(Type.Object({ name: text, value: text })),
})

export type DomainJson = Static<typeof domainSchema>

export const domainJson = (
  { host, account, use, state, reason, observed, certificate, nextTryAt }: DomainStatus,
  persistRecord: PersistRecord | null,
): DomainJson => ({
  host,
  account,
  use,
  state,
  reason,
  observed,
  certificate: certificate && {
    issuer: certificate.issuer,
    notBefore: instant(certificate.notBefore),
    notAfter: instant(certificate.notAfter),
    renewAt: instantOrNull(certificate.renewAt),
    serial: certificate.serial,
  },
  nextTryAt: instantOrNull(nextTryAt),
  ...(persistRecord && { persistRecord }),
})

/** Why the last order for a name failed, without the advice that follows once the box stops trying; `null`: it tries. */
export function whyGivenUp({ host, reason }: { host: string; reason: string }): string | null {
  const advice = ` ${givenUpAdvice(host)}`
  return reason.endsWith(advice) ? reason.slice(0, -advice.length) : null
}

/** Follows the reason in the console; the sentence goes on with where the button is. */
export const triedAgain =
  'After 30 days the box stops trying until the DNS of the name changes or you choose “Check now”'

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
