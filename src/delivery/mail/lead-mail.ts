import type { MailDestination } from '../../account/destination.ts'
import type { Language } from '../../language/language.ts'
import { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { html, type Markup } from '../../lib/html.ts'
import { type MailAddress, readMailAddress } from '../../lib/mail-address.ts'
import { capturedLine, type Lead, type LeadRow, type LeadView, leadView } from '../lead.ts'
import type { Mail } from './mail.ts'
import { mailDocument, mailStyles as style, withBreaks } from './mail-document.ts'

const nameCharactersMax = 100
const subjectCharactersMax = 150

/** How a mail about leads is addressed. */
interface LeadEnvelope {
  destination: Pick<MailDestination, 'name' | 'to'>
  /** Whom the mail comes from; without a name, the account's is taken. */
  sender: MailAddress
  /** Leads that wait for the next mail. */
  further: number
}

/**
 * A mail about leads of one form, each in full: one that was just captured, or all that came while the last mail was fresh
 * (docs/mail.md). The same leads make the same mail.
 *
 * @param leads at least one, in the order of receipt
 */
export function leadMail(leads: readonly Lead[], { destination, sender, further }: LeadEnvelope): Mail {
  const [first] = leads
  if (first === undefined) throw new TypeError('A mail of no leads')
  const letter = letterOf(leads, first, { destination, further })
  const name = sender.name ?? (capturedLine(first.accountName, nameCharactersMax) || null)
  return {
    from: { name, address: sender.address },
    to: destination.to.map((address) => ({ name: null, address })),
    replyTo: leads.length === 1 ? visitorOf(first) : null,
    subject: letter.subject,
    text: leadText(letter),
    html: leadHtml(letter),
    messageId: messageIdOf(leads, destination, sender),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments: [],
  }
}

/** What the mail says, in the order in which both of its forms say it. */
interface LeadLetter {
  language: Language
  subject: string
  /** `Acme Studio · Contact` */
  kicker: string
  /** The account's, `#rrggbb`; `null`: it has none. */
  colour: string | null
  /** `Ada Lovelace wrote to you`, or `12 new messages`. */
  headline: string
  leads: readonly LetterLead[]
  /** How many wait for the next mail, and what happens when the reader answers. */
  closing: readonly string[]
  /** Why the reader gets this mail, and what sent it where the account says so. */
  small: readonly string[]
}

interface LetterLead extends Pick<LeadView, 'words' | 'notes' | 'rows' | 'facts'> {
  /** `null`: the headline says it. */
  title: string | null
  /** Fields beyond those shown; `null`: none. */
  more: string | null
  /** `null`: the console has no host of its own. */
  link: { text: string; url: string } | null
}

type Letter = Pick<LeadEnvelope, 'destination' | 'further'>

function letterOf(leads: readonly Lead[], first: Lead, { destination, further }: Letter): LeadLetter {
  const locale = new Locale(first.language)
  const { leadMail: texts } = locale.texts
  const shown = leads.map((lead) => leadView(lead))
  const who = shown[0]?.who ?? null
  const isOne = leads.length === 1
  const headline = isOne
    ? filled(texts.wrote, { who: who ?? texts.visitor })
    : locale.plural(texts.newMessages, leads.length)
  const formName = capturedLine(first.formName, nameCharactersMax) || first.formId
  const accountName = capturedLine(first.accountName, nameCharactersMax) || first.handle
  return {
    language: locale.language,
    subject: subjectOf(shown, { formName, headline, locale }),
    kicker: `${accountName} · ${formName}`,
    colour: first.colour,
    headline,
    leads: shown.map((view, index) => ({
      ...view,
      title: isOne ? null : `${index + 1}. ${view.who ?? texts.visitor}`,
      more: view.rowsLeftOut === 0 ? null : `… ${locale.plural(texts.moreFields, view.rowsLeftOut)}`,
      link: view.link === null ? null : { text: texts.open, url: view.link },
    })),
    closing: [
      ...(further === 0 ? [] : [locale.plural(texts.further, further)]),
      ...(isOne ? [answerOf(first, who, texts)] : []),
    ],
    small: [
      filled(texts.sent, { domain: first.domain, name: destination.name }),
      ...(first.credit ? [texts.credit] : []),
    ],
  }
}

/** The recipient of an answer. An address that only some mail servers can write to stays in the text. */
function visitorOf({ replyTo }: Lead): MailAddress | null {
  const address = replyTo === null ? null : readMailAddress(replyTo)
  return address === null ? null : { name: null, address }
}

function answerOf(lead: Lead, who: string | null, texts: Locale['texts']['leadMail']): string {
  if (visitorOf(lead) === null) return texts.noAddress
  return who === null ? texts.answerVisitor : filled(texts.answer, { who })
}

interface SubjectParts {
  formName: string
  headline: string
  locale: Locale
}

function subjectOf(shown: readonly LeadView[], { formName, headline, locale }: SubjectParts): string {
  const { leadMail: texts } = locale.texts
  const [only, second] = shown
  const mark = only?.isTest === true ? `${texts.testMark} ` : ''
  if (only === undefined || second !== undefined) return `${mark}${formName}: ${headline}`
  const summary = [only.who, only.words].filter((text) => text !== null).join(': ')
  return capturedLine(`${mark}${formName}: ${summary || texts.newMessage}`, subjectCharactersMax)
}

/** Depends on the leads alone: a repeat has the same id, a mail with one more lead another. */
function messageIdOf(leads: readonly Lead[], { name }: Letter['destination'], { address }: MailAddress): string {
  const [first = ''] = leads.map(({ submissionId }) => submissionId)
  const others =
    leads.length === 1 ? '' : `.${Bun.SHA256.hash(leads.map((lead) => lead.submissionId).join(), 'hex').slice(0, 16)}`
  return `<${first}${others}.${name}@${address.slice(address.lastIndexOf('@') + 1)}>`
}

/** The plain text of a mail about leads. Visitors' text is indented, so that none of it looks like a label. */
const leadText = ({ headline, kicker, leads, closing, small }: LeadLetter): string =>
  [headline, kicker, ...leads.map(leadPart), [rule, ...closing, ...small].join('\n'), ''].join('\n\n')

const rule = '-'.repeat(40)

function leadPart({ title, notes, rows, more, facts, link }: LetterLead): string {
  return [
    ...(title === null ? [] : [`${rule}\n${title}`]),
    ...notes,
    ...rows.map(({ label, value }) => `${label}\n${indented(value)}`),
    ...(more === null ? [] : [more]),
    [
      ...facts.map(({ label, value }) => `${label}: ${value}`),
      ...(link === null ? [] : [`${link.text}: ${link.url}`]),
    ].join('\n'),
  ].join('\n\n')
}

const indented = (value: string): string =>
  value
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')

/** The HTML of a mail about leads: tables and inline styles, since mail programs know little else. */
const leadHtml = ({ language, headline, kicker, colour, leads, closing, small }: LeadLetter): string =>
  mailDocument({
    language,
    title: headline,
    preview: leads[0]?.words ?? headline,
    kicker,
    colour,
    cards: leads.map(card),
    footer: html`${closing.map((text) => html`<p class="muted" style="${style.note}">${text}</p>`)}${small.map((text) => html`<p class="muted" style="${style.small}">${text}</p>`)}`,
  })

function card({ title, notes, rows, more, facts, link }: LetterLead): Markup {
  const heading = title === null ? null : html`<h2 class="ink" style="${style.cardTitle}">${title}</h2>`
  const warnings = notes.map((text) => html`<p class="ink warning" style="${style.warning}">${text}</p>`)
  const rest = more === null ? null : html`<p class="muted" style="${style.note}">${more}</p>`
  const open =
    link === null
      ? null
      : html`<p style="${style.open}"><a class="ink" href="${link.url}" style="${style.openLink}">${link.text}</a></p>`
  return html`${heading}${warnings}${rows.map(row)}${rest}<table role="presentation" class="facts" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style.facts}">${facts.map(fact)}</table>${open}`
}

/** `dir="auto"`: right-to-left text is shown as such. */
const row = ({ label, value }: LeadRow): Markup =>
  html`<p class="muted" style="${style.label}">${label}</p><p class="ink" dir="auto" style="${style.value}">${withBreaks(value)}</p>`

const fact = ({ label, value }: LeadRow): Markup =>
  html`<tr><td class="muted" valign="top" style="${style.factLabel}">${label}</td><td class="muted" valign="top" style="${style.factValue}">${value}</td></tr>`
