import type { AccountSettings } from '../../account/account.ts'
import type { RefusalTotal } from '../../capture/refusal-log.ts'
import { type NamedMoment, sinceInstant } from '../../report/report-period.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import type { UntrustedProxy } from './proxy-note.ts'
import { refusalAdvice } from './refusal-advice.ts'
import { untrustedProxy, untrustedProxyAdvice } from './untrusted-proxy.ts'

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
  untrustedProxy: (UntrustedProxy & { advice: string }) | null
}

/**
 * Counts refused requests since an instant, with advice for each kind.
 *
 * @throws OperatorError when there is no account of that handle; PeriodFault when the instant is in the future
 */
export async function readRefusals(
  box: Pick<Box, 'accounts' | 'refusals' | 'config' | 'clock' | 'proxyNote'>,
  { account: handle, since: named }: { account: string; since: NamedMoment },
): Promise<AccountRefusals> {
  const account = await accountNamed(box.accounts, handle)
  const since = sinceInstant(named, { now: box.clock.now(), timezone: account.settings.timezone })
  const totals = await box.refusals.read(account.id, since)
  const proxy = await untrustedProxy(box)
  return {
    account: account.handle,
    since,
    refusals: totals.map((total) => advised(total, account.settings)),
    untrustedProxy: proxy && { ...proxy, advice: untrustedProxyAdvice(proxy, box.config) },
  }
}

const advised = (total: RefusalTotal, settings: AccountSettings): AdvisedRefusal => ({
  ...total,
  origin: total.origin === '' ? null : total.origin,
  advice: refusalAdvice(total, settings),
})
