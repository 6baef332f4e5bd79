import type { AccountStore } from '../../account/account-store.ts'
import { type Destination, visitorDestinations } from '../../account/destination.ts'
import type { Publisher } from '../../account/publisher.ts'
import { maySendFrom } from '../../delivery/mail/mail-server.ts'
import { isOwnHostname } from '../../lib/hostname.ts'
import type { SiteFolder } from '../../site/folder.ts'
import { keptInTheBox } from '../../site/kept-folder.ts'
import { type SiteFault, SiteFaults, type SiteWarning, siteToml } from '../../site/site-faults.ts'
import type { Box } from '../box.ts'

/**
 * Refuses a `verify_url` to which nothing may be sent. On this machine it may be only if a command on the box says so; that then
 * holds for later applies of the same address.
 *
 * @returns the folder that says so, and warnings. @throws SiteFaults
 */
export async function judgeVerifier(
  folder: SiteFolder,
  { accounts, judgeUrl }: Pick<Box, 'accounts' | 'judgeUrl'>,
  { dir, by }: { dir: string; by: Publisher },
): Promise<{ folder: SiteFolder; warnings: SiteWarning[] }> {
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
  return { folder, warnings: [{ kind: 'unresolved_address', ...fault, message: judged.reason }] }
}

async function isKnown({ handle, settings }: SiteFolder, accounts: Pick<AccountStore, 'find'>): Promise<boolean> {
  const before = (await accounts.find(handle))?.settings.botCheck
  return before?.verifiesHere === true && before.verifyUrl === settings.botCheck.verifyUrl
}

/** Refuses an address that the box does not send mail from. @throws SiteFaults */
export function judgeSender(
  { settings: { mailFrom }, mailFromPlace }: Pick<SiteFolder, 'settings' | 'mailFromPlace'>,
  { config: { mail } }: Pick<Box, 'config'>,
  dir: string,
): void {
  if (mailFrom === null || maySendFrom(mailFrom.address, mail)) return
  const domain = mailFrom.address.slice(mailFrom.address.lastIndexOf('@'))
  const mend = `whoever runs the box allows it by senders = ["${domain}"] below [mail] of capture.toml, once its mail server may send for that domain (docs/mail.md)`
  throw new SiteFaults(dir, [
    { file: siteToml, ...mailFromPlace, message: `the box sends no mail from ${mailFrom.address}; ${mend}` },
  ])
}

/**
 * Refuses destinations to which nothing may be sent. One whose name has no address now is no fault: it is looked up again for
 * each attempt.
 *
 * @returns warnings. @throws SiteFaults
 */
export async function judgeDestinations(
  { destinations, forms }: Pick<SiteFolder, 'destinations' | 'forms'>,
  { judgeUrl, config }: Pick<Box, 'judgeUrl' | 'config'>,
  dir: string,
): Promise<SiteWarning[]> {
  const faults: SiteFault[] = []
  const warnings: SiteWarning[] = []
  for (const { destination, urlPlace } of destinations) {
    const url = urlOf(destination)
    // Kept, it was judged when it was given.
    if (url === null || url === keptInTheBox) continue
    const place = { file: siteToml, line: urlPlace.line, key: urlPlace.key }
    const judged = await judgeUrl(url)
    if (judged.outcome === 'refused') faults.push({ ...place, message: `nothing is sent there: ${judged.reason}` })
    if (judged.outcome === 'unknown') warnings.push({ kind: 'unresolved_address', ...place, message: judged.reason })
  }
  if (faults.length > 0) throw new SiteFaults(dir, faults)
  if (config.mail.host !== null) return warnings
  if (destinations.some(({ destination }) => 'to' in destination))
    warnings.push(
      noMailServer('deliveries of the kinds "mail" and "report" wait until [mail] in capture.toml names a mail server'),
    )
  if (visitorDestinations(forms).length > 0)
    warnings.push(noMailServer('visitors get no mail until [mail] in capture.toml names a mail server'))
  return warnings
}

const noMailServer = (message: string): SiteWarning => ({
  kind: 'no_mail_server',
  file: siteToml,
  line: null,
  key: null,
  message,
})

const urlOf = (destination: Destination): string | null => ('url' in destination ? destination.url : null)
