import type { AccountSettings } from '../../account/account.ts'
import { compileOriginAllowlist, originPatternFault } from '../../account/origin-allowlist.ts'
import type { RefusalCheck } from '../../capture/refusal.ts'
import type { RefusalTotal, RefusingEndpoint } from '../../capture/refusal-log.ts'

/** Everything that refuses requests: the spec's checks, the click redirect's guard, and the limits of downloads. */
export type CountedCheck =
  | RefusalCheck
  | 'destination'
  | 'downloads'
  | 'downloads_per_address'
  | 'requests_per_address'
  | 'pipelined_requests'
  | 'no_script'

type Advice = (refusal: RefusalTotal, settings: AccountSettings) => string

/** Advice for each check, so that the next request of the kind succeeds. */
const adviceTable: Record<CountedCheck, Advice> = {
  origin: ({ origin }, settings) => originAdvice(origin, settings),
  tracking_key: (_, { tracking }) =>
    tracking.enabled
      ? 'The page sends no tracking key, or not the active one: put the current key into data-site-key, or make a new one with `capture key rotate`.'
      : 'Tracking is off for this account: set [tracking] enabled = true in site.toml and apply, or take the script off the page.',
  form: () =>
    'The page names a form that is not live here: compare its data-svc-form with `capture account show`, and check `registered` and the domain it posts to.',
  content_type: () => 'The caller does not send JSON: let it send Content-Type: application/json.',
  size: (_, { payloadBytesMax }) =>
    `The body has more than ${payloadBytesMax} bytes: send less, or raise payload_limit in site.toml (16384 at most).`,
  incomplete: () =>
    'The caller went away, was too slow, or sent a broken body: a few of these are visitors who left; many come from a faulty caller.',
  body: () => 'The caller does not send a JSON object, and its answer says so: correct the caller.',
  events: () => 'The caller sends a malformed batch, and its answer names the field: correct the caller.',
  budget: ({ endpoint }) => budgetAdvice(endpoint),
  honeypot: () =>
    'The hidden field was filled, so these look like bots; if they are people, check that no style sheet shows the field and no autofill fills it.',
  bot_check: () =>
    'The bot check was missing or did not verify: these look like bots, unless sitekey or secret under [bot_check] is wrong or the provider cannot be reached from here.',
  consent: () =>
    'Events came without consent: let the page grant it through the consent signal, or, if the law allows, set require_opt_in = false.',
  file: () =>
    'A submission named a file that was not here: more than 50 minutes had passed, or the page’s own code used a token twice. A few are visitors who sent an old form again.',
  file_field: () =>
    'The page sends files in a field that `files` of the form does not name: compare them, and apply the folder.',
  file_size: () =>
    'The files were larger than `max` of the field allows: raise it in site.toml, if you want such files.',
  file_type: () =>
    'The files were not of the types that the field takes, whatever their names said: add the type to `types` in site.toml, if you want such files.',
  file_infected: () => 'Malware was found in these files by clamd; nothing of them was stored.',
  uploads: () =>
    'Too many files were arriving at once, of one address or of all: a few are busy moments; many are somebody who keeps uploads open.',
  upload_room: () =>
    'The account’s files use up [limits] upload_mb_per_account of capture.toml: raise it, remove submissions, or let them expire sooner.',
  scanner: () =>
    'No file is taken without clamd, which did not answer: check that it runs and that [limits] clamd of capture.toml is its socket.',
  storage: () =>
    'These could not be stored and are lost unless the caller tried again: run `capture doctor` and check the disk.',
  destination: () =>
    'A signed link leads to another host than its own: sign links with --domain for the host of their destination.',
  no_script: () =>
    'A form was posted to its own page, so its script did not run and nothing was stored: check that the script tag is on the page and loads. A few are visitors without JavaScript; name a `contact` in site.toml for them.',
  downloads: () =>
    'More downloads ran at once than the process has file descriptors for: raise its limit (LimitNOFILE of the service, or ulimit -n), or serve large files from elsewhere.',
  requests_per_address: () =>
    'One address asked for more than [limits] requests_per_ip of capture.toml allows: a flood, or very many visitors behind one address. Behind a proxy, check that it is in trusted_proxies.',
  pipelined_requests: () =>
    'Many connections sent many requests at once, without waiting for answers, and kept others waiting: a flood. Browsers do not.',
  downloads_per_address: () =>
    'One address had too many downloads open: many visitors behind one address, or somebody who keeps downloads open. Behind a proxy, check that it is in trusted_proxies.',
}

export function refusalAdvice(refusal: RefusalTotal, settings: AccountSettings): string {
  const isKnown = Object.hasOwn(adviceTable, refusal.check)
  return isKnown
    ? adviceTable[refusal.check as CountedCheck](refusal, settings)
    : 'A newer version of capture counted this.'
}

function budgetAdvice(endpoint: RefusingEndpoint): string {
  const behindProxy = 'behind a proxy, check that it is in trusted_proxies.'
  if (endpoint === 'page')
    return `One address opened more pages than its budget records; the pages were served, but the views not recorded. If these are visitors, raise [limits] view_per_ip in capture.toml; ${behindProxy}`
  if (endpoint === 'click')
    return `One address followed more links than its budget records; it was redirected, but the clicks not recorded. Most likely a mail scanner; if these are people, raise [limits] click_per_ip in capture.toml; ${behindProxy}`
  return `More requests than the budget allows: if these are visitors, raise [limits] in capture.toml; ${behindProxy}`
}

function originAdvice(origin: string, { origins, domains }: AccountSettings): string {
  const line = originsLine(origin, { origins, domains })
  if (line !== null) return `If that is your page, set in site.toml: ${line} and apply.`
  if (origin === '*') return 'More than fifty other origins posted too: probably strangers, and nothing to do.'
  if (origin === 'null') {
    return 'A page without an origin (opened from a file, or in a sandboxed frame) can never post: serve it from a web server.'
  }
  if (originPatternFault(origin) !== null)
    return 'No page has such an origin: somebody made it up, and there is nothing to do.'
  if (compileOriginAllowlist(origins).allows(origin))
    return 'The origin is allowed now: these requests came before, and there is nothing to do.'
  return 'That is one of the account’s own domains under another scheme or port than this box sees. Behind a TLS proxy: list the proxy in [server] trusted_proxies of capture.toml, and have it forward Host and X-Forwarded-Proto; otherwise post to the address that the page itself came from.'
}

/** The line of `site.toml` that allows an origin beside those of now; `null`: it is allowed, or nothing would allow it. */
export function originsLine(
  origin: string,
  { origins, domains }: Pick<AccountSettings, 'origins' | 'domains'>,
): string | null {
  const isPage = origin !== '*' && origin !== 'null' && originPatternFault(origin) === null
  if (!isPage || compileOriginAllowlist(origins).allows(origin)) return null
  const isOwn = domains.includes(URL.parse(origin)?.hostname ?? '')
  return isOwn ? null : `origins = ${JSON.stringify([...origins, origin])}`
}

/** Each check in a few words, for readers who do not know the table of refusals. */
const reasons: Record<CountedCheck, string> = {
  origin: 'sent from a page that is not allowed to',
  tracking_key: 'tracking is off, or the key is not the account’s',
  form: 'no such form',
  content_type: 'not sent as JSON',
  size: 'larger than the account accepts',
  incomplete: 'the connection broke off',
  body: 'not a JSON object',
  events: 'not a well-formed batch of events',
  budget: 'too many requests in a short time',
  honeypot: 'a bot: the hidden field was filled',
  bot_check: 'a bot: the check was missing or did not verify',
  consent: 'the visitor had not agreed to tracking',
  file: 'names a file that is not here',
  file_field: 'a file in a field that takes none',
  file_size: 'a file larger than the field takes',
  file_type: 'a file of a type that the field does not take',
  file_infected: 'a file with malware',
  uploads: 'too many files at once',
  upload_room: 'no room for more files',
  scanner: 'a file that could not be looked through',
  storage: 'could not be stored: the disk was full or failed',
  no_script: 'a form posted without the script',
  downloads: 'too many simultaneous downloads',
  requests_per_address: 'too many requests of one address, whatever for',
  pipelined_requests: 'too many requests at once over many connections',
  downloads_per_address: 'too many simultaneous downloads of one address',
  destination: 'a link to a host that is not allowed',
}

/**
 * What looks like a bot's goes into quarantine, the form's budget counts challenges, too, and after `storage` and
 * `incomplete` the caller tries again.
 */
const perhapsKept: ReadonlySet<string> = new Set([
  'honeypot',
  'bot_check',
  'budget',
  'storage',
  'incomplete',
] satisfies CountedCheck[])

/** Whether what somebody entered into a form is surely not kept. A form without its script is counted at its page. */
export const isSubmissionLost = ({ endpoint, check }: Pick<RefusalTotal, 'endpoint' | 'check'>): boolean =>
  check === 'no_script' || (endpoint === 'form' && !perhapsKept.has(check))

export const refusalReason = (check: string): string =>
  Object.hasOwn(reasons, check) ? reasons[check as CountedCheck] : 'counted by a newer version of capture'
