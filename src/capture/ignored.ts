import { isWithin, parseAddress } from '../lib/ip.ts'
import type { SiteRequest } from './site-request.ts'

/** Whether the account leaves the caller's address out of its figures (`ignore` in site.toml). */
export function isIgnored({ account, clientAddress }: Pick<SiteRequest, 'account' | 'clientAddress'>): boolean {
  if (account.ignored.length === 0) return false
  const address = parseAddress(clientAddress)
  return address !== null && isWithin(address, account.ignored)
}
