import { type Static, Type } from '@sinclair/typebox'
import { certificateFacts, checkedPair } from '../../https/certificate-pair.ts'
import {
  type ConfiguredDomain,
  type DomainStatus,
  folderStatus,
  keptStatus,
  offStatus,
} from '../../https/domain-status.ts'
import { givenUpAdvice } from '../../https/keeper/name-steps.ts'
import { whyNotPublic } from '../../https/name/public-name.ts'
import { oneOf, orNull, text, textOrNull, texts } from '../../lib/schema.ts'
import { severalAtOnce } from '../../lib/several-at-once.ts'
import { instant } from '../../report/record.ts'
import type { Box } from '../box.ts'
import type { PersistRecord } from './authority.ts'

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
    renewAt: certificate.renewAt === null ? null : instant(certificate.renewAt),
    serial: certificate.serial,
  },
  nextTryAt: nextTryAt === null ? null : instant(nextTryAt),
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
