import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { erasablePerson, erasePerson } from '../../../operations/person/erase-person.ts'
import { submissionNamed } from '../../../operations/submission/show-submission.ts'
import { noFacts } from '../../../report/entry-facts.ts'
import { submissionRecord } from '../../../report/record.ts'
import type { StoredSubmission } from '../../../report/submission-reader.ts'
import { bulkIdsMax, removeMany } from '../../inbox/bulk.ts'
import { actForm } from '../act-form.ts'
import { type AccountPage, type AccountPageCall, may, type PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { forGoodPart } from '../person/for-good.ts'
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
    const items = there.map((each) => itemOf(call, each, there.length === 1))
    // The page of one that is gone is not there; of several, the others are still to be removed.
    if (items.length === 0) await submissionNamed(box.submissions, account, ids[0] ?? '')
    const goneCount = ids.length - items.length
    const isOne = items.length === 1
    return {
      title: titleOf(call, there),
      body: html`${isOne ? items : html`<ul class="plain">${items.map((item) => html`<li>${item}</li>`)}</ul>`}
${goneCount === 0 ? null : html`<p>Already gone, and left out: ${plural(goneCount, 'submission')}.</p>`}
${forGoodPart({
  submissions: items.length,
  recorded: 0,
  whose: isOne ? 'its' : 'their',
  stays: html`Whatever else the sender did stays${senderWay(call, there)}.`,
  destinations: await box.deliveries.notified(account.id, {
    email: null,
    submissions: there.map(({ submission }) => submission.id),
  }),
  to: `${url.pathname}${url.search}`,
  back: `/a/${account.handle}`,
  words: { act: 'Remove for good', keep: isOne ? 'Keep it' : 'Keep them' },
})}`,
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
    : html`, unless you <a href="/a/${call.account.handle}/s/${first.submission.id}/erase">erase the person</a>`

const formOf = ({ account }: AccountPageCall, { submission }: StoredSubmission) =>
  account.forms.find(({ id }) => id === submission.formId) ?? null

const summaryIn = (call: AccountPageCall, each: StoredSubmission, nobody?: string) =>
  summaryOf(submissionRecord(each.submission, noFacts), formOf(call, each), nobody)

/** What was sent, and below it by which form and when. @param isNamed whether the heading says by whom */
function itemOf(call: AccountPageCall, each: StoredSubmission, isNamed: boolean): Markup {
  const { submission } = each
  const { who, words } = summaryIn(call, each)
  const name = isNamed ? null : html`<strong>${captured(who)}</strong> `
  const time = localTime(submission.receivedAt, call.account.settings.timezone)
  return html`<p>${name}${words === '' ? null : html`${captured(words)}<br>`}<span class="soft">${formOf(call, each)?.name ?? submission.formId}, ${time}</span></p>`
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
    const { who } = summaryIn(call, sent, 'whoever sent this')
    const { email } = sent.submission
    return {
      title: `Erase ${who}?`,
      body: html`${email === null || email === who ? itemOf(call, sent, true) : html`<p>${captured(email)}</p>`}
${forGoodPart({
  submissions: counts.submissions,
  recorded: counts.events + counts.pageViews + counts.clicks,
  whose: 'their',
  destinations: counts.destinations,
  to: url.pathname,
  back: url.pathname.replace(/\/erase$/, ''),
  words: { act: 'Erase for good', keep: 'Keep this person' },
})}`,
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
