import { capitalised } from '../../../lib/capitalised.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { type AdvisedRefusal, readRefusals } from '../../../operations/refusals/read-refusals.ts'
import {
  type CountedCheck,
  isSubmissionLost,
  originsLine,
  refusalReason,
} from '../../../operations/refusals/refusal-advice.ts'
import type { MissingAddress } from '../../../report/missing.ts'
import { emptyState, inWords, notice } from '../../look/notice.ts'
import { csvLink, tabs } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
import { changeableText, changeForm } from '../site-toml-change.ts'
import { settingsAt } from '../site-toml-line.ts'
import { captured } from '../values.ts'

const dayMs = 86_400_000
/** Kinds of refusals on the page, most frequent first; the CSV has all of them. */
const shownMax = 40

const periods = [
  [1, 'Last 24 hours'],
  [7, '7 days'],
  [90, '90 days'],
] as const

/** `/a/ACCOUNT/refusals?days`: why requests were refused, and what to do about it. */
export const refusalsPage: AccountPage = {
  path: '/a/:account/refusals',
  link: { group: 'Setup', text: 'Refusals', icon: 'stop' },
  scope: 'read',
  async show(call, box) {
    const { account, url } = call
    const [days] = periods.find(([days]) => String(days) === url.searchParams.get('days')) ?? periods[0]
    const since = { at: box.clock.now() - days * dayMs }
    const { refusals, missing, untrustedProxy } = await readRefusals(box, { account: account.handle, since })
    const proxy =
      untrustedProxy &&
      notice(
        'doubtful',
        html`<p><strong>A proxy at ${untrustedProxy.peer} is not trusted.</strong> All visitors share one rate limit. ${inWords(untrustedProxy.advice)}</p>`,
      )
    const kept = await changeableText(call, box)
    return {
      body: html`${proxy}${tabs('Since when', periodTabs(url, days))}${list(refusals, { call, kept })}${missingPart(missing)}`,
      ways:
        refusals.length === 0
          ? null
          : csvLink(`/accounts/${account.handle}/refusals`, { asked: { since: `${days}d` } }),
    }
  },
}

const missingShown = 20

/** Addresses that visitors asked for in vain. */
function missingPart(missing: readonly MissingAddress[]): Markup | null {
  if (missing.length === 0) return null
  const rows = missing
    .slice(0, missingShown)
    .map(({ path, count: times }) => html`<li>${captured(path)}: ${count(times)} ×</li>`)
  return html`<h2>Asked for where nothing is</h2><ul>${rows}</ul><p class="hint">Old or mistyped links. <code>[[redirects]]</code> in <code>site.toml</code> lead their visitors on.</p>`
}

const periodTabs = ({ pathname }: URL, current: number) =>
  periods.map(([days, text]) => ({ href: `${pathname}?days=${days}`, text, isCurrent: days === current }))

interface Around {
  call: AccountPageCall
  /** The text that a button changes; `null`: there is none. */
  kept: string | null
}

function list(refusals: readonly AdvisedRefusal[], around: Around): Markup {
  const { handle } = around.call.account
  if (refusals.length === 0)
    return emptyState(
      'Nothing was refused',
      'If leads are missing all the same, the page with the form does not reach this box. Check that it has the script tag, and try the test page.',
      html`<p><a class="button" href="/a/${handle}/forms">Forms and test page</a></p>`,
    )
  const [bots = [], others = []] = [true, false].map((isBot) =>
    refusals.filter(({ check }) => (check === 'honeypot') === isBot),
  )
  const shown = others.slice(0, shownMax)
  const rest = others.length - shown.length
  return html`${shown.length === 0 ? null : html`<ol class="places">${shown.map((refusal) => row(refusal, around))}</ol>`}${rest > 0 ? html`<p class="hint">The CSV has ${plural(rest, 'more kind')}, all rarer than these.</p>` : null}${botsPart(bots, handle)}`
}

/** Robots that filled the hidden field: what is stopped there is seldom a lead. */
function botsPart(bots: readonly AdvisedRefusal[], handle: string): Markup | null {
  if (bots.length === 0) return null
  const times = bots.reduce((sum, { count }) => sum + count, 0)
  return html`<details class="more"><summary>${plural(times, 'submission')} stopped by the hidden field, most likely of ${times === 1 ? 'a bot' : 'bots'}</summary><p class="hint">Those still kept are in <a href="/a/${handle}?status=refused">quarantine</a>. If a person sent ${times === 1 ? 'it' : 'one of them'}, check that no style sheet shows the field and no autofill fills it.</p></details>`
}

function row(refusal: AdvisedRefusal, around: Around): Markup {
  const { endpoint, check, origin, count: times } = refusal
  const { call } = around
  const isAllowable = check === 'origin' && originsLine(origin ?? '', call.account.settings) !== null
  // Counted where it arrived, at the page.
  const nouns = refusedNouns[check === 'no_script' ? 'form' : endpoint]
  const why =
    check === 'origin' ? 'only the account’s own domains and the sites that it allows may send' : refusalReason(check)
  // The advice on `no_script` says it.
  const lost = check !== 'no_script' && isSubmissionLost(refusal) ? ' What was entered is not kept.' : null
  return html`<li class="place"><h2>${plural(times, ...nouns)}${from(origin)} refused</h2>
<p>${capitalised(why)}.${lost}</p>
${isAllowable ? allowing(origin ?? '', around) : html`<p>${adviceWords(refusal, call)}</p>`}</li>`
}

/** Lets the origin send, as far as the reader may. */
function allowing(origin: string, { call, kept }: Around): Markup {
  const { handle } = call.account
  if (!may(call, 'publish'))
    return html`<p>If this site is yours, ask a colleague who may publish to allow it here. Otherwise there is nothing to do.</p>`
  if (kept !== null)
    return html`<p>If this site is yours, allow it: what visitors send from it arrives from then on. Otherwise there is nothing to do.</p>
${changeForm(handle, 'origin', html`<p class="do"><button name="value" value="${origin}">Allow this site<span class="unseen"> ${captured(origin)}</span></button> <span class="hint">You review the changes first.</span></p>`)}`
  return html`<p>If this site is yours, add <code>${captured(JSON.stringify(origin))}</code> to <code>origins</code> in <code>site.toml</code>. Otherwise there is nothing to do.</p>
<p class="do"><a class="button" href="${settingsAt(handle, { key: 'origins' })}">Open site.toml</a></p>`
}

const refusedNouns: Record<AdvisedRefusal['endpoint'], [one: string, many?: string]> = {
  form: ['submission'],
  event: ['batch of events', 'batches of events'],
  click: ['click'],
  page: ['page view'],
  download: ['download'],
  upload: ['file with a form', 'files with a form'],
  any: ['request'],
}

function from(origin: string | null): Markup | string | null {
  if (origin === null) return null
  return origin === '*' ? ' from other websites' : html` from ${captured(origin)}`
}

type Words = (call: AccountPageCall) => Markup

/** Advice for the checks whose remedy is on a page of the console, where the operation's advice names a command. */
const words: { readonly [Check in CountedCheck]?: Words } = {
  tracking_key: ({ account: { handle, settings } }) =>
    settings.tracking.enabled
      ? html`The page sends no tracking key, or not the active one: put the current key into <code>data-site-key</code>, or make a new one under <a href="/a/${handle}/settings#tracking-key">Settings</a>.`
      : html`Tracking is off for this account: set <code>enabled = true</code> under <code>[tracking]</code> in <a href="/a/${handle}/settings">Settings</a>, or take the script off the page.`,
  form: ({ account: { handle } }) =>
    html`The page names a form that is not live here: compare its <code>data-svc-form</code> with <a href="/a/${handle}/forms">Forms</a>, and check <code>registered</code> and the domain it posts to.`,
  storage: ({ caller }) =>
    html`These could not be stored and are lost unless the caller tried again. ${caller.isOwner ? html`See <a href="/box">Health</a>` : 'Ask an owner of the box to see Health'}, and check the disk.`,
}

/** What to do about a kind of refusal, with the page that does it. */
function adviceWords({ check, advice }: AdvisedRefusal, call: AccountPageCall): Markup {
  const ofCheck: Words | undefined = Object.hasOwn(words, check) ? words[check as CountedCheck] : undefined
  return ofCheck?.(call) ?? inWords(advice)
}
