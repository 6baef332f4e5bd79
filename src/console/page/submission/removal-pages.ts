import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { erasablePerson, erasePerson } from '../../../operations/person/erase-person.ts'
import { submissionNamed } from '../../../operations/submission/show-submission.ts'
import { noFacts } from '../../../report/entry-facts.ts'
import { submissionRecord } from '../../../report/record.ts'
import type { StoredSubmission } from '../../../report/submission-reader.ts'
import { bulkIdsMax, removeMany } from '../../inbox/bulk.ts'
import { notice } from '../../look/notice.ts'
import { actForm } from '../act-form.ts'
import { type AccountPage, type AccountPageCall, may, type PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { receiptPart } from '../person/person-page.ts'
import { captured, localTime } from '../values.ts'
import { bulkSentence } from './inbox-forms.ts'
import { summaryOf } from './inbox-rows.ts'

const idsIn = ({ url }: AccountPageCall): string[] => url.searchParams.getAll('id').slice(0, bulkIdsMax)

/** `/a/ACCOUNT/leads/remove?id&id…`: says what a removal takes, and carries it out. */
export const removeLeadsPage: AccountPage = {
  path: '/a/:account/leads/remove',
  scope: 'erase',
  right: 'remove',
  asksAgain: true,
  async show(call, box) {
    const { account, url } = call
    const ids = idsIn(call)
    const found = await Promise.all(ids.map((id) => box.submissions.find(account.id, id.toLowerCase())))
    const there = found.filter((each) => each !== null)
    const items = there.map((each) => itemOf(call, each))
    // The page of one that is gone is not there; of several, the others are still to be removed.
    if (items.length === 0) await submissionNamed(box.submissions, account, ids[0] ?? '')
    const goneCount = ids.length - items.length
    return {
      title: titleOf(call, there),
      body: html`<ul class="plain">${items}</ul>
<p>${items.length === 1 ? 'It goes' : 'They go'} from ${account.settings.name} for good, with all states, notes and deliveries, and from every figure.</p>
${goneCount === 0 ? null : html`<p>Already gone, and left out: ${plural(goneCount, 'submission')}.</p>`}
<p>Whatever else the sender did stays.${senderWay(call, there)}</p>
${notice('doubtful', html`<p>It does not reach earlier backups and exports, nor the destinations ${items.length === 1 ? 'it was' : 'they were'} sent to.</p>`)}
<form method="post" action="${url.pathname}${url.search}"><p class="do"><button class="danger">Remove for good</button> <a href="/a/${account.handle}">Keep ${items.length === 1 ? 'it' : 'them'}</a></p></form>`,
    }
  },
  forms: { scope: 'erase', right: 'remove', chosen: () => removes },
}

function titleOf(call: AccountPageCall, [first, ...more]: readonly StoredSubmission[]): string {
  if (first === undefined || more.length > 0) return `Remove ${plural(more.length + 1, 'lead')}?`
  const { who } = summaryIn(call, first)
  return `Remove this ${first.submission.status === 'accepted' ? 'lead' : 'submission'} from ${who}?`
}

/** Of a single one: the way to erase who sent it. */
const senderWay = (call: AccountPageCall, [first, ...more]: readonly StoredSubmission[]): Markup | null =>
  first === undefined || more.length > 0 || !may(call, 'erase')
    ? null
    : html` To remove all that the sender did, <a href="/a/${call.account.handle}/s/${first.submission.id}/erase">erase the person</a>.`

const formOf = ({ account }: AccountPageCall, { submission }: StoredSubmission) =>
  account.forms.find(({ id }) => id === submission.formId) ?? null

const summaryIn = (call: AccountPageCall, each: StoredSubmission, nobody?: string) =>
  summaryOf(submissionRecord(each.submission, noFacts), formOf(call, each), nobody)

function itemOf(call: AccountPageCall, each: StoredSubmission): Markup {
  const { submission } = each
  const form = formOf(call, each)
  const { who, words } = summaryIn(call, each)
  const time = localTime(submission.receivedAt, call.account.settings.timezone)
  return html`<li><strong>${captured(who)}</strong> ${captured(words)}<br><span class="soft">${form?.name ?? submission.formId}, ${time}</span></li>`
}

const removes: PageAct<AccountPageCall> = {
  async run(call, box) {
    const { results, receipt } = await removeMany({ ...call, ids: idsIn(call) }, box)
    const verified =
      receipt === null || receipt.verified ? '' : ' Free bytes of the database may still hold parts of it.'
    return { answer: seeOther(`/a/${call.account.handle}`), notice: `${bulkSentence('removed', results)}${verified}` }
  },
}

const senderOf = ({ params }: AccountPageCall): string => params.submission ?? ''

/** `/a/ACCOUNT/s/SUBMISSION/erase`: says what erasing its sender takes, carries it out, and reports the result. */
export const eraseSenderPage: AccountPage = {
  path: '/a/:account/s/:submission/erase',
  scope: 'erase',
  asksAgain: true,
  async show(call, box) {
    const { account, url } = call
    const whom = { account: account.handle, submission: senderOf(call) }
    const { counts } = await erasablePerson(box, whom, () => {})
    const sent = await submissionNamed(box.submissions, account, whom.submission)
    const { submissions, events, pageViews, clicks, destinations } = counts
    const recorded = events + pageViews + clicks
    const informed =
      destinations.length === 0
        ? null
        : html`, nor the destinations that received their data: <strong>${destinations.join(', ')}</strong>`
    return {
      title: `Erase ${summaryIn(call, sent, 'whoever sent this').who}?`,
      body: html`<ul class="plain">${itemOf(call, sent)}</ul>
<p>All that ${account.settings.name} has on this box with their e-mail address, phone number or device goes for good:</p>
<ul><li>${plural(submissions, 'submission')}, with states and notes</li>${recorded === 0 ? null : html`<li>${plural(recorded, 'page view, event or click', 'page views, events and clicks')}</li>`}<li>their part in every figure</li></ul>
${notice('doubtful', html`<p>It does not reach earlier backups and exports${informed}. Have them erased there too.</p>`)}
<form method="post" action="${url.pathname}"><p class="do"><button class="danger">Erase for good</button> <a href="${url.pathname.replace(/\/erase$/, '')}">Keep this person</a></p></form>`,
    }
  },
  forms: { scope: 'erase', chosen: () => erases },
}

const erases = actForm(erasePerson, {
  input: (call: AccountPageCall) => ({ submission: senderOf(call) }),
  shown: ({ receipt }, call) => ({
    answer: { title: receipt.verified ? 'Erased' : 'Erased, not verified', body: receiptPart(call, receipt) },
  }),
})
