import type { AccountStore } from '../../account/account-store.ts'
import type { Publisher } from '../../account/publisher.ts'
import { isOwnHostname } from '../../lib/hostname.ts'
import type { SiteFolder } from '../../site/folder.ts'
import { SiteFaults, siteFaultLine, siteToml } from '../../site/site-faults.ts'
import type { Box } from '../box.ts'

/**
 * Refuses a `verify_url` to which nothing may be sent. On this machine it may be only if a command on the box says so; that then
 * holds for later applies of the same address.
 *
 * @returns the folder that says so, and sentences for the operator. @throws SiteFaults
 */
export async function judgeVerifier(
  folder: SiteFolder,
  { accounts, judgeUrl }: Pick<Box, 'accounts' | 'judgeUrl'>,
  { dir, by }: { dir: string; by: Publisher },
): Promise<{ folder: SiteFolder; warnings: string[] }> {
  const { settings, verifyUrlPlace } = folder
  const { provider, verifyUrl } = settings.botCheck
  if (provider === 'altcha' || verifyUrl === null) return { folder, warnings: [] }
  if (isOwnHostname(new URL(verifyUrl).hostname) && (by.via === 'command' || (await isKnown(folder, accounts)))) {
    const botCheck = { ...settings.botCheck, verifiesHere: true as const }
    return { folder: { ...folder, settings: { ...settings, botCheck } }, warnings: [] }
  }
  const judged = await judgeUrl(verifyUrl)
  if (judged.outcome === 'allowed') return { folder, warnings: [] }
  const fault = { file: siteToml, ...verifyUrlPlace }
  if (judged.outcome === 'refused')
    throw new SiteFaults(dir, [{ ...fault, message: `nothing is sent there: ${judged.reason}` }])
  return { folder, warnings: [siteFaultLine({ ...fault, message: judged.reason })] }
}

async function isKnown({ handle, settings }: SiteFolder, accounts: Pick<AccountStore, 'find'>): Promise<boolean> {
  const before = (await accounts.find(handle))?.settings.botCheck
  return before?.verifiesHere === true && before.verifyUrl === settings.botCheck.verifyUrl
}
