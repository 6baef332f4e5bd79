import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { erasePerson, type PersonErasure } from '../../../operations/person/erase-person.ts'
import { type MeantPerson, personNamed } from '../../../operations/person/person-named.ts'
import { personSubject } from '../../api/person/person-subject.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { AccountPage, AccountPageCall, PageAct } from '../page.ts'

/** `/a/ACCOUNT/persons/PERSON/erase`: says what an erasure takes, does it, and says what was done. */
export const erasePage: AccountPage = {
  of: 'account',
  path: '/a/:account/persons/:person/erase',
  scope: 'erase',
  clients: 'nothing',
  asksAgain: true,
  async show(call, box) {
    const meant = await personNamed(box, call.account, call.params.person ?? '')
    return { title: `Erase ${meant.email}?`, body: await question(call, box, meant) }
  },
  forms: { scope: 'erase', clients: 'nothing', chosen: () => erase },
}

const erase: PageAct<AccountPageCall> = {
  noted: { action: 'person.erase', subject: personSubject },
  async run(call, box) {
    const { email } = await personNamed(box, call.account, call.params.person ?? '')
    const receipt = await erasePerson(box, { account: call.account.handle, email })
    const title = receipt.verified ? 'Erased' : 'Erased, not verified'
    return { answer: { title, body: receiptPart(call, receipt) } }
  },
}

async function question({ account, url }: AccountPageCall, box: ConsoleBox, { email }: MeantPerson): Promise<Markup> {
  const person = await box.persons.named(account.id, email)
  const informed = await box.deliveries.notified(account.id, email)
  return html`<p>This erases from ${account.settings.name} everything that the box has of this address, for good:</p>
<ul><li>${plural(person?.submissions ?? 0, 'submission')}, with states and notes, and refused ones that name the address;</li>
<li>${plural(person?.events ?? 0, 'page view, event or click', 'page views, events and clicks')}, and what else their devices recorded;</li>
<li>what was made of these: figures become what they would be without the person.</li></ul>
<p>Out of reach are backups and exports that were made before${informed.length === 0 ? null : html`, and the destinations that got something of them: <strong>${informed.join(', ')}</strong>`}. Have the person erased there too.</p>
<form method="post" action="${url.pathname}"><p class="do"><button class="danger">Erase for good</button> <a href="${url.pathname.replace(/\/erase$/, '')}">Keep this person</a></p></form>`
}

function receiptPart({ account }: AccountPageCall, receipt: PersonErasure): Markup {
  const { submissions, events, pageViews, clicks, devices, destinations } = receipt
  const taken = [
    plural(submissions, 'submission'),
    plural(events, 'event'),
    plural(pageViews, 'page view'),
    plural(clicks, 'click'),
    plural(devices, 'device'),
  ]
  const destinationsPart =
    destinations.length === 0
      ? html`<p>Deliveries sent nothing of this person anywhere.</p>`
      : html`<p>Deliveries sent something of this person to: <strong>${destinations.join(', ')}</strong>. Have the person erased there too.</p>`
  return html`<p role="status">Gone: ${taken.join(', ')}.</p><p>${verifiedText(receipt)}</p>${mentionsPart(receipt)}${destinationsPart}
<p>Delete earlier backups and exports that contain this person, or erase again after a restore.</p><p><a href="/a/${account.handle}/persons">All persons</a></p>`
}

function verifiedText({ verified, unreadable }: PersonErasure): string {
  if (verified) return 'Verified: no free byte of the database and its write-ahead log holds the address.'
  return unreadable === 0
    ? 'Not verified: another process kept the database busy, and its free bytes may still contain the address. Erase again in a while.'
    : `Not verified: ${plural(unreadable, 'record')} cannot be read, and may be this person's. Run capture doctor on the box.`
}

function mentionsPart({ mentions, mentionedIn }: PersonErasure): Markup | null {
  if (mentions === 0) return null
  const first = mentions > mentionedIn.length ? `, of which the first ${count(mentionedIn.length)} are` : null
  const ids = mentionedIn.map((id) => html`<li><code class="wrap">${id}</code></li>`)
  return html`<p>Kept: ${plural(mentions, 'record')} of other people that mention the address${first}:</p><ul>${ids}</ul>`
}
