import type { AccountSettings } from '../../account/account.ts'
import type { RefusalTotal } from '../../capture/refusal-log.ts'
import type { Config } from '../../config/config.ts'
import { compileTrustedProxies, isTrustedProxy } from '../../lib/forwarded-client.ts'
import { localDay } from '../../lib/local-day.ts'
import { type MissingAddress, missingShownMax } from '../../report/missing.ts'
import { type NamedMoment, sinceInstant } from '../../report/report-period.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box, UntrustedProxy } from '../box.ts'
import { refusalAdvice } from './refusal-advice.ts'

export interface AdvisedRefusal extends Omit<RefusalTotal, 'origin'> {
  /** `null`: requests without an origin; `*`: origins beyond the first fifty. */
  origin: string | null
  advice: string
}

export interface AccountRefusals {
  account: string
  /** Epoch milliseconds. */
  since: number
  refusals: AdvisedRefusal[]
  /** Addresses where nothing is, of the days from `since` on, most first. */
  missing: MissingAddress[]
  untrustedProxy: (UntrustedProxy & { advice: string }) | null
}

/**
 * Counts refused requests since an instant, with advice for each kind.
 *
 * @throws OperatorError when there is no account of that handle; PeriodFault when the instant is in the future
 */
export async function readRefusals(
  box: Pick<Box, 'accounts' | 'refusals' | 'missing' | 'config' | 'clock' | 'proxyNote'>,
  { account: handle, since: named }: { account: string; since: NamedMoment },
): Promise<AccountRefusals> {
  const account = await accountNamed(box.accounts, handle)
  const since = sinceInstant(named, { now: box.clock.now(), timezone: account.settings.timezone })
  const totals = await box.refusals.read(account.id, since)
  const missing = await box.missing.read(account.id, localDay(since, account.settings.timezone), missingShownMax)
  const proxy = await untrustedProxy(box)
  return {
    account: account.handle,
    since,
    refusals: totals.map((total) => advised(total, account.settings)),
    missing,
    untrustedProxy: proxy && { ...proxy, advice: untrustedProxyAdvice(proxy, box.config) },
  }
}

const advised = (total: RefusalTotal, settings: AccountSettings): AdvisedRefusal => ({
  ...total,
  origin: total.origin === '' ? null : total.origin,
  advice: refusalAdvice(total, settings),
})

/** As `refusals --json` prints them. */
export const refusalsJson = ({ account, since, refusals, missing, untrustedProxy }: AccountRefusals) => ({
  account,
  since: new Date(since).toISOString(),
  refusals,
  missing,
  untrustedProxy,
})

/** The server's note, unless the proxy is trusted by now. */
export async function untrustedProxy({
  config,
  proxyNote,
}: Pick<Box, 'config' | 'proxyNote'>): Promise<UntrustedProxy | null> {
  const note = await proxyNote()
  const { trustedProxies } = config.server
  return note !== null && isTrustedProxy(note.peer, compileTrustedProxies(trustedProxies)) ? null : note
}

export const untrustedProxyFound = ({ peer, seenAt }: UntrustedProxy): string =>
  `A proxy at ${peer} forwards visitors but is not trusted (seen ${seenAt}): all visitors share one budget.`

/** The configuration line that adds the proxy to the trusted ones. */
export const untrustedProxyAdvice = ({ peer }: UntrustedProxy, { server }: Config): string =>
  `If it is yours, set in \`capture.toml\`: \`[server] trusted_proxies = ${JSON.stringify([...server.trustedProxies, peer])}\`, and restart the server, or send it SIGHUP.`
