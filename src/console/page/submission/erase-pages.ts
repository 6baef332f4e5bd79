import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { type ErasureDone, notYetOnText } from '../../../operations/erasure/erase.ts'
import { erasablePerson, erasePerson } from '../../../operations/person/erase-person.ts'
import { personNamed } from '../../../operations/person/person-named.ts'
import { showSubmission } from '../../../operations/submission/show-submission.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { doneNote, operatorMessage } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import { actForm } from '../act-form.ts'
import { copiesAt, countsText, forGoodPart, listCard } from '../for-good.ts'
import { type AccountPage, type AccountPageCall, may } from '../page.ts'
import { personShown } from '../person/person-page.ts'
import { senderText } from '../sender-text.ts'
import { captured } from '../values.ts'
import { sentItem, sentSummary } from './sent-item.ts'

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
        act: 'Erase',
        what: 'this person',
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
      const who = name === null ? email : senderText(name)
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
      const { account } = call
      const { record: sent } = await showSubmission(box, { account: account.handle, id: senderOf(call) }, () => {})
      const { who } = sentSummary(call, sent, 'whoever sent this')
      const { submissionId: id, status } = sent
      const { email } = sent.identity
      const word = status === 'accepted' ? 'lead' : 'submission'
      return {
        who,
        also: email === null || email === who ? sentItem(call, sent, true) : addressLine(email),
        backText: `This ${word}`,
        instead: may(call, 'remove')
          ? html` <a href="/a/${account.handle}/leads/remove?id=${id}">Remove only this ${word}</a>`
          : null,
      }
    },
  ),
}

const addressLine = (email: string): Markup => html`<p>${captured(email)}</p>`

/** What was erased, and in the card of the question what stays. */
function receiptPart({ account, caller }: AccountPageCall, receipt: ErasureDone): Markup {
  const { submissions, events, pageViews, clicks, devices, destinations } = receipt
  const taken = countsText([
    [submissions, 'submission'],
    [pageViews, 'page view'],
    [events, 'event'],
    [clicks, 'click'],
    [devices, 'device'],
  ])
  const onNodes = notYetOnText(receipt)
  const mentions = receipt.mentions === 0 ? [] : [mentionsText(receipt)]
  return html`${doneNote(taken.length === 0 ? 'Nothing was left to erase.' : `Erased: ${taken.join(', ')}.`)}<p>${operatorMessage(verifiedText(receipt), caller)}</p>${onNodes && html`<p>${onNodes}</p>`}<div class="columns">${listCard('Stays', [...mentions, copiesBehind, ...copiesAt(destinations)])}</div><p><a href="/a/${account.handle}/persons">All persons</a></p>`
}

const copiesBehind = 'Copies in earlier backups and exports: delete them, or erase the person again after a restore'

const verifiedText = ({ verified }: ErasureDone): string =>
  verified
    ? 'Verified: the address is nowhere in the free bytes of the database and its write-ahead log.'
    : 'Not verified: free bytes of the database may still contain the address, as when another process keeps it busy. Erase again later.'

function mentionsText({ mentions, mentionedIn }: ErasureDone): Markup {
  const first = mentions > mentionedIn.length ? `. The first ${count(mentionedIn.length)}` : null
  const ids = mentionedIn.map((id) => html`<br><code class="wrap">${id}</code>`)
  return html`${plural(mentions, 'record')} of other people that mention the address${first}:${ids}`
}
