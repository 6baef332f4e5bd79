import { compileSite, type LiveSite } from '../../asset/live-site.ts'
import { isServicePath, wayOf } from '../../asset/ways.ts'
import { LocalDays } from '../../lib/local-day.ts'
import { count } from '../../lib/quantities.ts'
import { nearest } from '../../lib/suggestion.ts'
import { isLinkedTo, type MissingAddress } from '../../report/missing.ts'
import { parseRedirectFrom } from '../../site/redirect-values.ts'
import type { Box } from '../box.ts'
import { type CheckResult, warning } from '../check-result.ts'
import type { AccountName } from './overview-reader.ts'

/** Of an account, most first; the report has all. */
const namedMax = 5
/** A missing name is compared with so many pages at most. */
const comparedMax = 1000

/** Addresses of accounts that visitors asked for often of late, and that lead nowhere now. */
export async function missingAddresses(
  { overview, accounts, catalogue, clock }: Pick<Box, 'overview' | 'accounts' | 'catalogue' | 'clock'>,
  named: readonly AccountName[],
): Promise<CheckResult[]> {
  const days = new LocalDays()
  const now = clock.now()
  const asked = await overview.missing(named.map(({ id, timezone }) => ({ id, today: days.of(now, timezone) })))
  const byAccount = Map.groupBy(asked.filter(isLinkedTo), ({ accountId }) => accountId)
  const found: CheckResult[] = []
  for (const { id, handle, name } of named) {
    const often = byAccount.get(id)
    const account = often === undefined ? null : await accounts.find(handle)
    if (often === undefined || account === null) continue
    const site = compileSite(account, await catalogue.assets(id), clock)
    const missing = often.filter(({ path }) => isMissing(site, path)).slice(0, namedMax)
    if (missing.length > 0) found.push(resultOf({ handle, name }, missing, site))
  }
  return found
}

const isMissing = ({ ways }: LiveSite, path: string): boolean =>
  wayOf(ways, path).to === 'nowhere' && !isServicePath(path)

function resultOf(
  { handle, name }: Pick<AccountName, 'handle' | 'name'>,
  missing: readonly MissingAddress[],
  site: LiveSite,
): CheckResult {
  const addresses = missing.map(({ path, count: times }) => `${path} (${count(times)} times a day)`)
  const text = `Visitors of ${name} ask for addresses where nothing is: ${addresses.join(', ')}.`
  const lines = missing.flatMap(({ path }) => redirectLines(path, site)).join('\n')
  const advice = 'Lead them on with `[[redirects]]` in `site.toml` (docs/redirects.md), and apply.'
  const page = { name: 'settings', account: handle } as const
  return warning('missing', text, advice, { page, ...(lines !== '' && { lines }) })
}

/** Stands for what was masked as personal: the whole address is not known. */
const maskedSegment = '-'

/** The lines of `site.toml` that lead an address on; none: it is no path that can be redirected. */
function redirectLines(path: string, { byId, pages }: LiveSite): string[] {
  const from = parseRedirectFrom(path)
  if (!('value' in from) || path.split('/').includes(maskedSegment)) return []
  const slugs = [...byId.values()].flatMap(({ kind, name }) => (kind === 'page' && pages.has(name) ? [name] : []))
  const meant = nearest(from.value.slice(from.value.lastIndexOf('/') + 1), slugs.slice(0, comparedMax))
  const to = meant === null ? '/…' : `/${meant}`
  return [`[[redirects]]\nfrom = ${JSON.stringify(from.value)}\nto = ${JSON.stringify(to)}\n`]
}
