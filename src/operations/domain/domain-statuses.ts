import { certificateFacts, checkedPair } from '../../https/certificate-pair.ts'
import {
  type ConfiguredDomain,
  type DomainStatus,
  folderStatus,
  keptStatus,
  offStatus,
} from '../../https/domain-status.ts'
import { whyNotPublic } from '../../https/name/public-name.ts'
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
