import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { submissionNamed } from '../../../operations/submission/show-submission.ts'
import type { StoredSubmission } from '../../../report/submission-reader.ts'
import { bulkIdsMax, removeMany } from '../../inbox/bulk.ts'
import { backLink } from '../../look/shell.ts'
import { forGoodPart } from '../for-good.ts'
import { type AccountPage, type AccountPageCall, may, type PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { bulkSentence } from './inbox-forms.ts'
import { sentItem, sentSummary } from './sent-item.ts'

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
    const items = there.map((each) => sentItem(call, each, there.length === 1))
    // The page of one that is gone is not there; of several, the others are still to be removed.
    if (items.length === 0) await submissionNamed(box.submissions, account, ids[0] ?? '')
    const goneCount = ids.length - items.length
    const isOne = items.length === 1
    const back = isOne ? `/a/${account.handle}/s/${there[0]?.submission.id}` : `/a/${account.handle}`
    return {
      title: titleOf(call, there),
      back: backLink(back, isOne ? 'This lead' : 'All leads'),
      body: html`${isOne ? items : html`<ul class="plain">${items.map((item) => html`<li>${item}</li>`)}</ul>`}
${goneCount === 0 ? null : html`<p>Already gone, and left out: ${plural(goneCount, 'submission')}.</p>`}
${forGoodPart({
  counts: { submissions: items.length },
  uncounted: isOne ? 'It no longer counts in reports' : 'They no longer count in reports',
  stays: html`Whatever else the sender did${senderWay(call, there)}`,
  destinations: await box.deliveries.notified(account.id, {
    email: null,
    submissions: there.map(({ submission }) => submission.id),
  }),
  to: `${url.pathname}${url.search}`,
  back,
  act: 'Remove for good',
  instead: null,
})}`,
    }
  },
  forms: { scope: 'erase', right: 'remove', chosen: () => removes },
}

function titleOf(call: AccountPageCall, [first, ...more]: readonly StoredSubmission[]): string {
  if (first === undefined || more.length > 0) return `Remove ${plural(more.length + 1, 'lead')}?`
  const { who } = sentSummary(call, first)
  return `Remove this ${first.submission.status === 'accepted' ? 'lead' : 'submission'} from ${who}?`
}

/** Of a single one: the way to erase who sent it. */
const senderWay = (call: AccountPageCall, [first, ...more]: readonly StoredSubmission[]): Markup | null =>
  first === undefined || more.length > 0 || !may(call, 'erase')
    ? null
    : html`, unless you <a href="/a/${call.account.handle}/s/${first.submission.id}/erase">erase the person</a>`

const removes: PageAct<AccountPageCall> = {
  async run(call, box) {
    const { results, receipt } = await removeMany({ ...call, ids: idsIn(call) }, box)
    const verified =
      receipt === null || receipt.verified ? '' : ' Free bytes of the database may still hold parts of it.'
    return { answer: seeOther(`/a/${call.account.handle}`), notice: `${bulkSentence('removed', results)}${verified}` }
  },
}
