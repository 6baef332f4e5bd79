import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { type ErasureDone, notYetOnText } from '../../../operations/erasure/erase.ts'
import { erasablePerson, erasePerson } from '../../../operations/person/erase-person.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { submissionNamed } from '../../../operations/submission/show-submission.ts'
import { noFacts } from '../../../report/entry-facts.ts'
import { submissionRecord } from '../../../report/record.ts'
import type { StoredSubmission } from '../../../report/submission-reader.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { bulkIdsMax, removeMany } from '../../inbox/bulk.ts'
import { doneNote, operatorMessage } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { actForm } from '../act-form.ts'
import { type AccountPage, type AccountPageCall, may, type PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { personShown } from '../person/person-page.ts'
import { captured, capturedValue, type Fact, factsTable, localTime } from '../values.ts'
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

type Whom = { person: string } | { submission: string }

interface Named {
  /** Whom the question names. */
  who: string
  /** What else tells them from others. */
  also: Markup | null
  /** What the way back is called. */
  backText: string
  /** A lesser act that may be meant. */
  instead: Markup | null
}

/** Says what erasing a person takes, carries it out, and reports the result. */
function erasing(
  whom: (call: AccountPageCall) => Whom,
  named: (call: AccountPageCall, box: ConsoleBox) => Promise<Named>,
): Pick<AccountPage, 'scope' | 'asksAgain' | 'show' | 'forms'> {
  const erases = actForm(erasePerson, {
    input: whom,
    shown: ({ receipt }, call) => ({
      answer: { title: receipt.verified ? 'Erased' : 'Erased, not verified', body: receiptPart(call, receipt) },
    }),
  })
  return {
    scope: 'erase',
    asksAgain: true,
    async show(call, box) {
      const { pathname } = call.url
      const { counts } = await erasablePerson(box, { account: call.account.handle, ...whom(call) }, () => {})
      const { who, also, backText, instead } = await named(call, box)
      const back = pathname.replace(/\/erase$/, '')
      const part = forGoodPart({
        counts,
        uncounted: 'Their visits and leads no longer count in reports',
        stays: 'Records of other people, also where they mention this person',
        destinations: counts.destinations,
        to: pathname,
        back,
        act: 'Erase for good',
        instead,
      })
      return { title: `Erase ${who}?`, back: backLink(back, backText), body: html`${also}${part}` }
    },
    forms: { scope: 'erase', chosen: () => erases },
  }
}

const personOf = ({ params }: AccountPageCall): string => params.person ?? ''

/** `/a/ACCOUNT/persons/PERSON/erase` */
export const erasePage: AccountPage = {
  path: '/a/:account/persons/:person/erase',
  ...erasing(
    (call) => ({ person: personOf(call) }),
    async (call, box) => {
      const { email, personId } = await personNamed(box, call.account, personOf(call))
      const name = personId === null ? null : (await personShown(call.account, email, box)).name
      const who = name === null ? email : capturedValue(name)
      return { who, also: name === null ? null : addressLine(email), backText: who, instead: null }
    },
  ),
}

const senderOf = ({ params }: AccountPageCall): string => params.submission ?? ''

/** `/a/ACCOUNT/s/SUBMISSION/erase`: whoever sent it, also without an address. */
export const eraseSenderPage: AccountPage = {
  path: '/a/:account/s/:submission/erase',
  ...erasing(
    (call) => ({ submission: senderOf(call) }),
    async (call, box) => {
      const sent = await submissionNamed(box.submissions, call.account, senderOf(call))
      const { who } = summaryIn(call, sent, 'whoever sent this')
      const { email, id } = sent.submission
      return {
        who,
        also: email === null || email === who ? itemOf(call, sent, true) : addressLine(email),
        backText: 'This lead',
        instead: may(call, 'remove')
          ? html` <a href="/a/${call.account.handle}/leads/remove?id=${id}">Remove only this lead</a>`
          : null,
      }
    },
  ),
}

const addressLine = (email: string): Markup => html`<p>${captured(email)}</p>`

interface ForGood {
  /** What a removal of submissions takes beside them is their own. */
  counts: { submissions: number; events?: number; pageViews?: number; clicks?: number }
  /** What it means for figures. */
  uncounted: string
  /** What is not deleted. */
  stays: Markup | string
  /** Names of those that were sent some of it. */
  destinations: readonly string[]
  /** Where the form goes, and where nothing is deleted. */
  to: string
  back: string
  act: string
  instead: Markup | null
}

/** Before something is deleted for good: what that takes, what stays, where copies remain, and the two ways on. */
function forGoodPart({ counts, uncounted, stays, destinations, to, back, act, instead }: ForGood): Markup {
  const { submissions, events = 0, pageViews = 0, clicks = 0 } = counts
  const taken = [
    `${plural(submissions, 'submission')}, with states, notes and deliveries`,
    ...countsText([
      [pageViews, 'page view'],
      [events, 'event'],
      [clicks, 'click'],
    ]),
    uncounted,
  ]
  return html`<div class="card for-good">${factsTable([
    ['Deleted for good', taken.join('\n')],
    ['Stays', stays],
    ['Copies remain', html`In earlier backups and exports${copiesAt(destinations)}`],
  ])}</div>
<form method="post" action="${to}"><p class="do"><button class="danger">${act}</button>${instead} <a href="${back}">Cancel</a></p></form>`
}

/** Of what there is none of, nothing is said. */
const countsText = (counts: readonly (readonly [number: number, name: string])[]): string[] =>
  counts.flatMap(([number, name]) => (number === 0 ? [] : [plural(number, name)]))

const allOf = new Intl.ListFormat('en-GB')

/** A delivery may have failed before it brought any. */
const copiesAt = (destinations: readonly string[]): string =>
  destinations.length === 0 ? '' : `\n${allOf.format(destinations)} may have a copy: delete it there too`

/** What was erased, and in the rows of the question what became of it. */
function receiptPart({ account, caller }: AccountPageCall, receipt: ErasureDone): Markup {
  const { submissions, events, pageViews, clicks, devices, destinations, verified } = receipt
  const taken = countsText([
    [submissions, 'submission'],
    [pageViews, 'page view'],
    [events, 'event'],
    [clicks, 'click'],
    [devices, 'device'],
  ])
  const onNodes = notYetOnText(receipt)
  const facts: Fact[] = [
    [verified ? 'Verified' : 'Not verified', operatorMessage(verifiedText(receipt), caller)],
    ...(onNodes === null ? [] : ([['Other nodes', onNodes]] satisfies Fact[])),
    ...(receipt.mentions === 0 ? [] : ([['Stays', mentionsText(receipt)]] satisfies Fact[])),
    [
      'Copies remain',
      html`In earlier backups and exports: delete them, or erase the person again after a restore${copiesAt(destinations)}`,
    ],
  ]
  return html`${doneNote(taken.length === 0 ? 'Nothing was left to erase.' : `Erased: ${taken.join(', ')}.`)}<div class="card for-good">${factsTable(facts)}</div><p><a href="/a/${account.handle}/persons">All persons</a></p>`
}

const verifiedText = ({ verified }: ErasureDone): string =>
  verified
    ? 'The address is nowhere in the free bytes of the database and its write-ahead log.'
    : 'Free bytes of the database may still contain the address, as when another process keeps it busy. Erase again later.'

function mentionsText({ mentions, mentionedIn }: ErasureDone): Markup {
  const first = mentions > mentionedIn.length ? `. The first ${count(mentionedIn.length)}` : null
  const ids = mentionedIn.map((id) => html`\n<code class="wrap">${id}</code>`)
  return html`${plural(mentions, 'record')} of other people that mention the address${first}:${ids}`
}
