import type { MailDestination } from '../../account/destination.ts'
import { type MailAddress, readMailAddress } from '../../lib/mail-address.ts'
import { plural } from '../../lib/quantities.ts'
import { capturedLine } from '../captured-text.ts'
import type { Lead } from '../lead.ts'
import { leadView } from '../lead-view.ts'
import { leadHtml } from './lead-html.ts'
import type { LeadLetter } from './lead-letter.ts'
import { leadText } from './lead-text.ts'
import type { Mail } from './mail.ts'

/** Leads shown in full in one mail; mail programs cut longer ones. The rest is counted and can be exported. */
const leadsMax = 10
/** For all leads together: with markup, the mail stays below the 102 KB at which Gmail cuts it. */
const valueCharactersMax = 16_000
const nameCharactersMax = 100
const subjectCharactersMax = 150

/**
 * A mail about leads of one form: one that was just captured, or all that came while the last mail was fresh
 * (docs/mail.md). The same leads make the same mail.
 *
 * @param leads at least one, in the order of receipt
 * @param sender the address it comes from; the name is the account's
 */
export function leadMail(leads: readonly Lead[], destination: MailDestination, sender: MailAddress): Mail {
  const [first] = leads
  if (first === undefined) throw new TypeError('A mail of no leads')
  const letter = letterOf(leads, first, destination)
  return {
    from: { name: capturedLine(first.accountName, nameCharactersMax) || null, address: sender.address },
    to: destination.to.map((address) => ({ name: null, address })),
    replyTo: leads.length === 1 ? visitorOf(first) : null,
    subject: subjectOf(letter),
    text: leadText(letter),
    html: leadHtml(letter),
    messageId: messageIdOf(leads, destination, sender),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments: [],
  }
}

function letterOf(leads: readonly Lead[], first: Lead, { name }: MailDestination): LeadLetter {
  const listed = leads.slice(0, leadsMax)
  const shown = listed.map((lead) => leadView(lead, Math.floor(valueCharactersMax / listed.length)))
  const [only] = shown
  return {
    accountName: capturedLine(first.accountName, nameCharactersMax) || first.handle,
    formName: capturedLine(first.formName, nameCharactersMax) || first.formId,
    colour: first.colour,
    headline: leads.length > 1 ? plural(leads.length, 'new message') : `${only?.who ?? 'A visitor'} wrote to you`,
    leads: shown,
    leadsLeftOut: leads.length - shown.length,
    answer: leads.length > 1 ? null : answerOf(first, only?.who ?? null),
    listCommand: `capture export ${first.handle} submissions --since ${new Date(first.receivedAt).toISOString()}`,
    reason: `Sent by Capture on ${first.domain}, delivery “${name}”.`,
  }
}

/** The recipient of an answer. An address that only some mail servers can write to stays in the text. */
function visitorOf({ replyTo }: Lead): MailAddress | null {
  const address = replyTo === null ? null : readMailAddress(replyTo)
  return address === null ? null : { name: null, address }
}

function answerOf(lead: Lead, who: string | null): string | null {
  if (visitorOf(lead) === null) return 'The visitor left no address to answer.'
  return `Answer this mail to write to ${who ?? 'the visitor'}.`
}

function subjectOf({ formName, leads, headline, leadsLeftOut }: LeadLetter): string {
  const [only, second] = leads
  const mark = only?.isTest === true ? '[Test] ' : ''
  if (only === undefined || second !== undefined || leadsLeftOut > 0) return `${mark}${formName}: ${headline}`
  const summary = [only.who, only.words].filter((text) => text !== null).join(': ')
  return capturedLine(`${mark}${formName}: ${summary || 'a new message'}`, subjectCharactersMax)
}

/** Depends on the leads alone: a repeat has the same id, a mail with one more lead another. */
function messageIdOf(leads: readonly Lead[], { name }: MailDestination, { address }: MailAddress): string {
  const [first = ''] = leads.map(({ submissionId }) => submissionId)
  const others =
    leads.length === 1 ? '' : `.${Bun.SHA256.hash(leads.map((lead) => lead.submissionId).join(), 'hex').slice(0, 16)}`
  return `<${first}${others}.${name}@${address.slice(address.lastIndexOf('@') + 1)}>`
}
