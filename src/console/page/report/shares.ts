import { acceptedLanguage } from '../../../language/accepted-language.ts'
import { textsOf } from '../../../language/language.ts'
import { english } from '../../../language/locale.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { presentDocument } from '../../../operations/report/report-document.ts'
import { reportPage, reportPagePolicy } from '../../../report/document/page.ts'
import { documentPeriod, periodTitle } from '../../../report/document/period.ts'
import { type ReportView, reportView } from '../../../report/document/report-view.ts'
import { daysOf, periodOf } from '../../../report/report-period.ts'
import type { Requirement } from '../../access/permission.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyButton } from '../../look/fields.ts'
import { bareShell, head } from '../../look/shell.ts'
import {
  listShares,
  type ShareJson,
  shareDaysDefault,
  shareDaysMax,
  shareReport,
  unshareReport,
  verifiedShare,
} from '../../share/report-share.ts'
import { actForm } from '../act-form.ts'
import { type AccountPageCall, type Forms, may, type PageAct } from '../page.ts'
import { type OpenPage, pageAnswer, securityHeaders, seeOther } from '../page-http.ts'
import { localTime } from '../values.ts'
import { type AskedPeriod, periodOfCall, periodQuery, typedPeriodOf } from './asked-period.ts'

/** Links shown; the API lists all of them. */
const shownMax = 20

const unshare = actForm(unshareReport, {
  input: ({ fields }) => ({ share: fields.get('revoke') ?? '' }),
  shown: (_, call, box) => ({ answer: backToShares(call, box) }),
})

const share: PageAct<AccountPageCall> = {
  noted: { action: shareReport.name },
  async run(call, box) {
    const period = typedPeriodOf(periodOfCall(call, box))
    const days = Math.min(Math.max(Math.trunc(Number(call.fields.get('days'))) || shareDaysDefault, 1), shareDaysMax)
    const input = { ...period, account: call.account.handle, expiresInDays: days }
    const { subject } = await shareReport.run(box, input, call)
    return { answer: backToShares(call, box), subject }
  },
}

export const shareForms: Forms<AccountPageCall> & Requirement = {
  scope: 'publish',
  chosen: ({ fields }) => (fields.has('revoke') ? unshare : share),
}

const sharedFrom = (asked: AskedPeriod): string => `?${periodQuery(asked)}&share`

const backToShares = (call: AccountPageCall, box: ConsoleBox): Response =>
  seeOther(call.url.pathname + sharedFrom(periodOfCall(call, box)))

/** `?share`: the valid links, and a form to make another; nothing for users who may not share. */
export async function sharesSection(
  call: AccountPageCall,
  asked: AskedPeriod,
  box: ConsoleBox,
): Promise<Markup | null> {
  if (!call.url.searchParams.has('share') || !may(call, shareForms.scope)) return null
  const shares = await listShares(box, call.account)
  return html`<section class="card sharing">${head(html`<h2>Share this report</h2>`, html`<a href="?${periodQuery(asked).toString()}">Close</a>`)}
<form class="filters" method="post"><label for="days">Valid for (days)</label><input id="days" name="days" type="number" min="1" max="${shareDaysMax}" value="${shareDaysDefault}" required><button>Make a link</button></form>
<p class="hint">Whoever has the link sees these figures without signing in, and no personal data. ${movesOn(asked)}</p>${onlyHere(call, box)}
${shares.length === 0 ? null : html`<ul class="plain">${shares.slice(0, shownMax).map((share) => shareItem(share, { timezone: call.account.settings.timezone, now: box.clock.now() }))}</ul>`}</section>`
}

const movesOn = ({ preset }: AskedPeriod): string =>
  preset === '7d' || preset === '30d' ? 'It moves on with the days.' : 'It always shows these days.'

function onlyHere({ caller }: AccountPageCall, { config }: ConsoleBox): Markup | null {
  if (config.console.host !== null) return null
  const todo = caller.isOwner
    ? html`Set <code>[console] host</code> in <code>capture.toml</code>.`
    : 'Ask an owner of the box to give it one.'
  return html`<p class="hint">The console has no public name, so the link opens only on this machine. ${todo}</p>`
}

const shareItem = ({ id, link, expiresAt, period }: ShareJson, { timezone, now }: Around): Markup => {
  const days = daysShown(period, { timezone, now })
  return html`<li>
<form method="post"><p>Shows ${days}. Works until ${localTime(expiresAt, timezone)}.</p>
<p><code class="wrap" id="link-${id}">${link}</code></p>
<p class="do">${copyButton(`link-${id}`, days)}<button class="quiet" name="revoke" value="${id}">Revoke<span class="unseen">: ${days}</span></button></p></form></li>`
}

interface Around {
  timezone: string
  now: number
}

/** The days of a link, named as the report names its own. */
function daysShown(period: ShareJson['period'], { timezone, now }: Around): string {
  const named = periodOf(period, now)
  if (named.until === null && 'at' in named.since && named.since.days !== undefined)
    return `the last ${named.since.days} days`
  try {
    const { fromDay, untilDay } = daysOf(named, timezone)
    const title = periodTitle(documentPeriod({ fromDay, untilDay: untilDay ?? fromDay + 1 }), english)
    return untilDay === null ? `all days since ${title}` : title
  } catch (error) {
    if (error instanceof OperatorError) return 'no day in the account’s time zone of now'
    throw error
  }
}

/** From the report to its links, for those who may share. */
export const shareWay = (call: AccountPageCall, asked: AskedPeriod): Markup | null =>
  may(call, shareForms.scope) ? html`<a href="${sharedFrom(asked)}">Share</a>` : null

/** `/r/TOKEN`: a shared report, for everybody who has the link. Figures only, as in a mailed report. */
export const sharedReportPage: OpenPage = {
  path: '/r/:token',
  async show({ params, request }, box) {
    return (await sharedReport(params.token ?? '', box)) ?? reportGone(request)
  },
}

/** The same answer, whatever is wrong with the link: nobody learns whose it was. */
function reportGone(request: Request): Response {
  const language = acceptedLanguage(request)
  const { title, text } = textsOf(language).smallPages.reportGone
  const page = bareShell({ title, body: html`<h1>${title}</h1><p>${text}</p>`, of: null, language })
  return pageAnswer(page, 404, { 'content-language': language, 'x-robots-tag': 'noindex, nofollow' })
}

async function sharedReport(token: string, box: ConsoleBox): Promise<Response | null> {
  const now = box.clock.now()
  const claim = verifiedShare(token, await box.signingKeys.read(), now)
  const share = claim && (await box.shares.find(claim.id))
  if (share === null || share.revokedAt !== null || share.expiresAt <= now) return null
  const named = (await box.accounts.list()).find(({ id }) => id === share.accountId)
  const account = named && (await box.accounts.find(named.handle))
  if (!account) return null
  try {
    return documentAnswer(reportView(await presentDocument(account, periodOf(share.period, now), box)))
  } catch (error) {
    // The account has since moved to a time zone in which this day has not begun.
    if (error instanceof OperatorError) return null
    throw error
  }
}

const documentAnswer = (view: ReportView): Response =>
  new Response(reportPage(view), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': view.locale.language,
      'cache-control': 'no-store',
      ...securityHeaders,
      'content-security-policy': `${reportPagePolicy(view)}; frame-ancestors 'none'`,
      'x-robots-tag': 'noindex, nofollow',
    },
  })
