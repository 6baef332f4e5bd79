import { type HtmlPart, html, type Markup } from '../../lib/html.ts'
import { plural } from '../../lib/quantities.ts'
import type { LeadRow, LeadView } from '../lead-view.ts'
import type { LeadLetter } from './lead-letter.ts'
import { notes } from './lead-text.ts'
import { mailDocument, mailStyles as style, withBreaks } from './mail-document.ts'

/** The HTML of a mail about leads: tables and inline styles, since mail programs know little else. */
export function leadHtml(letter: LeadLetter): string {
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
