import type { AccountSettings } from '../../account/account.ts'
import { compileOriginAllowlist, originPatternFault } from '../../account/origin-allowlist.ts'
import type { RefusalCheck } from '../../capture/refusal.ts'
import type { RefusalTotal, RefusingEndpoint } from '../../capture/refusal-log.ts'

/** What refuses requests: the checks of the spec, the click redirect's guard, and the bounds of downloads. */
export type CountedCheck = RefusalCheck | 'destination' | 'downloads' | 'downloads_per_address' | 'no_script'

type Advice = (refusal: RefusalTotal, settings: AccountSettings) => string

/** For every check one sentence: what an operator can do so that the next request of the kind gets through. */
const adviceTable: Record<CountedCheck, Advice> = {
  origin: ({ origin }, settings) => originAdvice(origin, settings),
  tracking_key: (_, { tracking }) =>
    tracking.enabled
      ? 'The page sends no tracking key, or not the one in force: put the current key into data-site-key, or make a new one with `capture key rotate`.'
      : 'Tracking is off for this account: set [tracking] enabled = true in site.toml and apply, or take the script off the page.',
  form: () =>
    'The page names a form that is not live here: compare its data-svc-form with `capture account show`, and check `registered` and the domain it posts to.',
  content_type: () => 'The caller sends something else than JSON: let it send Content-Type: application/json.',
  size: (_, { payloadBytesMax }) =>
    `The body has more than ${payloadBytesMax} bytes: send less, or raise payload_limit in site.toml (16384 at most).`,
  incomplete: () =>
    'The caller went away, was too slow, or sent a broken body: a few of these are visitors who left; many come from a caller to mend.',
  body: () => 'The caller sends what is no JSON object: the answer it got says so; mend the caller.',
  events: () => 'The caller sends a malformed batch: the answer it got names the field; mend the caller.',
  budget: ({ endpoint }) => budgetAdvice(endpoint),
  honeypot: () =>
    'The hidden field was filled, so these look like bots; if they are people, let no style sheet or autofill show or fill that field.',
  bot_check: () =>
    'The bot check was missing or did not verify: these look like bots, unless sitekey or secret under [bot_check] is wrong or the provider cannot be reached from here.',
  consent: () =>
    'Events came without consent, as they should not: let the page say yes through the consent signal, or, if you may, set require_opt_in = false.',
  storage: () =>
    'These could not be stored and are lost unless the caller tried again: run `capture doctor` and see to the disk.',
  destination: () =>
    'A signed link leads to a host that is not the one it was opened on: sign links with --domain for the host their destination is on.',
  no_script: () =>
    'A form was posted to its own page, so its script did not run and nothing was stored: see that the script tag is on the page and loads. A few are visitors without JavaScript; name a `contact` in site.toml for them.',
  downloads: () =>
    'More was downloaded at once than the process has file descriptors for: raise its limit (LimitNOFILE of the service, or ulimit -n), or serve large files from elsewhere.',
  downloads_per_address: () =>
    'One address downloaded more at once than it may: many visitors behind one address, or somebody who keeps downloads open. Behind a proxy, see that it is in trusted_proxies.',
}

export function refusalAdvice(refusal: RefusalTotal, settings: AccountSettings): string {
  const isKnown = Object.hasOwn(adviceTable, refusal.check)
  return isKnown
    ? adviceTable[refusal.check as CountedCheck](refusal, settings)
    : 'A newer version of capture counted this.'
}

function budgetAdvice(endpoint: RefusingEndpoint): string {
  const behindProxy = 'behind a proxy, see that it is in trusted_proxies.'
  if (endpoint === 'page')
    return `One address opened more pages than its budget records; they were served, and their views not recorded. If these are visitors, raise [limits] view_per_ip in capture.toml; ${behindProxy}`
  if (endpoint === 'click')
    return `One address followed more links than its budget records; it was redirected, and its clicks not recorded. Most likely a mail scanner; if these are people, raise [limits] click_per_ip in capture.toml; ${behindProxy}`
  return `More requests than the budget allows: if these are visitors, raise [limits] in capture.toml; ${behindProxy}`
}

function originAdvice(origin: string, { origins, domains }: AccountSettings): string {
  if (origin === '*') return 'More than fifty other origins posted as well: most likely strangers, and nothing to do.'
  if (origin === 'null') {
    return 'A page without an origin of its own (opened from a file, or in a sandboxed frame) can never post: serve it from a web server.'
  }
  if (originPatternFault(origin) !== null)
    return 'No page has such an origin: somebody makes it up, and there is nothing to do.'
  if (compileOriginAllowlist(origins).allows(origin))
    return 'It is allowed by now: these came before, and there is nothing to do.'
  if (domains.includes(URL.parse(origin)?.hostname ?? '')) {
    return 'That is one of the account’s own domains under another scheme or port than this box sees. Behind a TLS proxy: name the proxy in [server] trusted_proxies of capture.toml, and let it pass Host and X-Forwarded-Proto on; else post to the address that the page itself came from.'
  }
  return `If that is your page, let site.toml say origins = ${JSON.stringify([...origins, origin])} and apply.`
}
