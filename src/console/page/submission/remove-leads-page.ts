import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { submissionNamed } from '../../../operations/submission/show-submission.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { bulkIdsMax, removeMany } from '../../inbox/bulk.ts'
import { backLink } from '../../look/shell.ts'
import { forGoodPart } from '../for-good.ts'
import { type AccountPage, type AccountPageCall, may, type PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { bulkSentence } from './inbox-forms.ts'
import { recordsOf, sentItem, sentSummary } from './sent-item.ts'

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
    const there = await stillThere(call, box)
    const items = there.map((each) => sentItem(call, each, there.length === 1))
    // The page of one that is gone is not there; of several, the others are still to be removed.
    if (items.length === 0) await submissionNamed(box.submissions, account, ids[0] ?? '')
    const goneCount = ids.length - items.length
    const isOne = items.length === 1
    const { word, uncounted, list } = whatTheyAre(call, there)
    const back = isOne ? `/a/${account.handle}/s/${there[0]?.submissionId}` : list.href
    return {
      title: titleOf(call, there, word),
      back: backLink(back, isOne ? `This ${word}` : list.text),
      body: html`${isOne ? items : html`<ul class="plain">${items.map((item) => html`<li>${item}</li>`)}</ul>`}
${goneCount === 0 ? null : html`<p>Already gone, and left out: ${plural(goneCount, 'submission')}.</p>`}
${forGoodPart({
  counts: { submissions: items.length },
  uncounted,
  stays: html`Whatever else the sender did${senderWay(call, there)}`,
  destinations: await box.deliveries.notified(account.id, {
    email: null,
    submissions: there.map(({ submissionId }) => submissionId),
  }),
  to: `${url.pathname}${url.search}`,
  back,
  act: 'Remove',
  what: isOne ? `this ${word}` : plural(items.length, word),
  instead: null,
})}`,
    }
  },
  forms: { scope: 'erase', right: 'remove', chosen: () => removes },
}

async function stillThere(call: AccountPageCall, box: ConsoleBox): Promise<SubmissionRecord[]> {
  const found = await Promise.all(idsIn(call).map((id) => box.submissions.find(call.account.id, id.toLowerCase())))
  const there = found.filter((each) => each !== null)
  return recordsOf(call, there, box)
}

/** What is in quarantine is no lead and counts nowhere. `list`: where they stand. */
function whatTheyAre({ account }: AccountPageCall, there: readonly SubmissionRecord[]) {
  const inbox = `/a/${account.handle}`
  const leads = there.filter(({ status }) => status === 'accepted').length
  if (leads === 0 && there.length > 0)
    return { word: 'submission', uncounted: null, list: { href: `${inbox}?status=refused`, text: 'Quarantine' } }
  const list = { href: inbox, text: 'All leads' }
  if (leads < there.length)
    return { word: 'submission', uncounted: 'The leads among them no longer count in reports', list }
  return { word: 'lead', uncounted: `${leads === 1 ? 'It no longer counts' : 'They no longer count'} in reports`, list }
}

function titleOf(call: AccountPageCall, [first, ...more]: readonly SubmissionRecord[], word: string): string {
  if (first === undefined || more.length > 0) return `Remove ${plural(more.length + 1, word)}?`
  return `Remove the ${word} of ${sentSummary(call, first).who}?`
}

/** Of a single one: the way to erase who sent it. */
const senderWay = (call: AccountPageCall, [first, ...more]: readonly SubmissionRecord[]): Markup | null =>
  first === undefined || more.length > 0 || !may(call, 'erase')
    ? null
    : html`, unless you <a href="/a/${call.account.handle}/s/${first.submissionId}/erase">erase the person</a>`

const removes: PageAct<AccountPageCall> = {
  async run(call, box) {
    const { list } = whatTheyAre(call, await stillThere(call, box))
    const { results, receipt } = await removeMany({ ...call, ids: idsIn(call) }, box)
    const verified =
      receipt === null || receipt.verified ? '' : ' Free bytes of the database may still hold parts of it.'
    return { answer: seeOther(list.href), notice: `${bulkSentence('removed', results)}${verified}` }
  },
}
