import type { HttpsConfig } from '../../config/config.ts'
import { knownDirectoryAt } from '../../https/acme/directories.ts'
import type { CertificateStore } from '../../https/certificate-store.ts'
import { directoryUrl } from '../../https/keeper/targets.ts'

/** The authority that certificates are ordered at, as names and their CAA records meet it. */
export interface MetAuthority {
  /** Names by which CAA records allow it; empty: not known. */
  caaIdentities: readonly string[]
  /** URL of the box's account there; `null`: there is none yet. */
  accountUrl: string | null
}

/** What an authority that is not known by name may take to say who it is. */
const offerMsMax = 5000

/** Asks for what is not known of the authority; one that does not answer is taken for one without a name in CAA records. */
export async function authorityOf(
  https: Pick<HttpsConfig, 'mode' | 'directory' | 'caFile'>,
  certificates: Pick<CertificateStore, 'account'>,
): Promise<MetAuthority> {
  if (https.mode !== 'auto') return { caaIdentities: [], accountUrl: null }
  const url = directoryUrl(https.directory)
  const account = await certificates.account(url)
  const caaIdentities = knownDirectoryAt(url)?.caaIdentities ?? (await offeredIdentities(url, https.caFile))
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
