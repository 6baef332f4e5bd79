import type { MailDestination } from '../../account/destination.ts'
import { type HtmlPart, html, type Markup } from '../../lib/html.ts'
import { type MailAddress, readMailAddress } from '../../lib/mail-address.ts'
import { plural } from '../../lib/quantities.ts'
import { capturedLine, type Lead, type LeadRow, type LeadView, leadView } from '../lead.ts'
import type { Mail } from './mail.ts'
import { mailDocument, mailStyles as style, withBreaks } from './mail-document.ts'

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

/** The plain text of a mail about leads. Visitors' text is indented, so that none of it looks like a label. */
function leadText(letter: LeadLetter): string {
  const { accountName, formName, headline, leads, leadsLeftOut, listCommand, answer, reason } = letter
  const isOne = leads.length === 1 && leadsLeftOut === 0
  const parts = leads.map((lead, index) => (isOne ? leadPart(lead) : `${numbered(lead, index)}\n\n${leadPart(lead)}`))
  const rest = leadsLeftOut === 0 ? [] : [`… and ${leadsLeftOut} more. All of them:\n\n  ${listCommand}`]
  return [
    headline,
    `${accountName} · ${formName}`,
    ...parts,
    ...rest,
    [rule, answer, reason].filter((line) => line !== null).join('\n'),
    '',
  ].join('\n\n')
}

const rule = '-'.repeat(40)

const numbered = ({ who }: LeadView, index: number): string => `${rule}\n${index + 1}. ${who ?? 'A visitor'}`

function leadPart(lead: LeadView): string {
  const rows = lead.rows.map(({ label, value }) => `${label}\n${indented(value)}`)
  const more = lead.rowsLeftOut === 0 ? [] : [`… and ${plural(lead.rowsLeftOut, 'more field')}.`]
  const facts = [
    `Received: ${lead.at}`,
    ...(lead.page === null ? [] : [`Page: ${lead.page}`]),
    ...(lead.origin === null ? [] : [`Source: ${lead.origin}`]),
    `In Capture: ${lead.command}`,
  ]
  return [...notes(lead), ...rows, ...more, facts.join('\n')].join('\n\n')
}

/** What the reader has to know first. */
const notes = ({ isTest, isReleased }: LeadView): string[] => [
  ...(isTest ? ['This is a test. Nobody sent it.'] : []),
  ...(isReleased ? ['This was held back as sent by a program, and released by hand.'] : []),
]

const indented = (value: string): string =>
  value
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')

/** The HTML of a mail about leads: tables and inline styles, since mail programs know little else. */
function leadHtml(letter: LeadLetter): string {
  const { accountName, formName, headline, leads, leadsLeftOut, answer, reason } = letter
  const isOne = leads.length === 1 && leadsLeftOut === 0
  const rest =
    leadsLeftOut === 0
      ? null
      : html`<p class="muted" style="${style.note}">… and ${leadsLeftOut} more. All of them: ${command(letter.listCommand)}</p>`
  return mailDocument({
    title: headline,
    preview: leads[0]?.words ?? headline,
    kicker: `${accountName} · ${formName}`,
    colour: letter.colour,
    cards: leads.map((lead, index) => card(lead, isOne ? null : `${index + 1}. ${lead.who ?? 'A visitor'}`)),
    footer: html`${rest}${answer === null ? null : html`<p class="muted" style="${style.note}">${answer}</p>`}<p class="muted" style="${style.small}">${reason}</p>`,
  })
}

const command = (text: string): Markup => html`<code style="${style.code}">${text}</code>`

function card(lead: LeadView, title: string | null): Markup {
  const heading = title === null ? null : html`<h2 class="ink" style="${style.cardTitle}">${title}</h2>`
  const warnings = notes(lead).map((text) => html`<p class="ink warning" style="${style.warning}">${text}</p>`)
  const more =
    lead.rowsLeftOut === 0
      ? null
      : html`<p class="muted" style="${style.note}">… and ${plural(lead.rowsLeftOut, 'more field')}.</p>`
  const facts = [
    fact('Received', lead.at),
    lead.page === null ? null : fact('Page', lead.page),
    lead.origin === null ? null : fact('Source', lead.origin),
    fact('In Capture', command(lead.command)),
  ]
  return html`${heading}${warnings}${lead.rows.map(row)}${more}<table role="presentation" class="facts" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style.facts}">${facts}</table>`
}

/** `dir="auto"`: right-to-left text is shown as such. */
const row = ({ label, value }: LeadRow): Markup =>
  html`<p class="muted" style="${style.label}">${label}</p><p class="ink" dir="auto" style="${style.value}">${withBreaks(value)}</p>`

const fact = (label: string, value: HtmlPart): Markup =>
  html`<tr><td class="muted" valign="top" style="${style.factLabel}">${label}</td><td class="muted" valign="top" style="${style.factValue}">${value}</td></tr>`

/** What the mail says, in the order in which both of its forms say it. */
interface LeadLetter {
  accountName: string
  formName: string
  /** The account's, `#rrggbb`; `null`: it has none. */
  colour: string | null
  /** `Ada Lovelace wrote to you`, or `12 new messages`. */
  headline: string
  leads: readonly LeadView[]
  /** Leads beyond those shown. */
  leadsLeftOut: number
  /** The command that shows what was left out. */
  listCommand: string
  /** What happens when the reader answers; `null`: nothing to say. */
  answer: string | null
  /** Why the reader gets this mail. */
  reason: string
}
