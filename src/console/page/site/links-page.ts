import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import {
  type ClickLinkedMail,
  rewriteMail,
  type SignedLink,
  signLink,
  typedMail,
} from '../../../operations/link/click-links.ts'
import type { LinkWarning } from '../../../operations/link/dead-destination.ts'
import { copyField, option } from '../../look/fields.ts'
import { doneNote, faultLine, inWords, mark } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { type AccountPage, type AccountPageCall, actsBy, type PageAct } from '../page.ts'

/** Mail programs cut off mails longer than a fifth of this; the API takes more. */
const mailCharactersMax = 524_288
/** Encoding makes a form up to three times as long (URL standard, section 5.2). */
const formBytesMax = 3 * mailCharactersMax
const leftShownMax = 200
const warningsShownMax = 50

const sign: PageAct<AccountPageCall> = {
  run: async (call, box) => ({
    answer: content(call, {
      signed: await signLink(box, { ...mailIn(call), destination: typed(call, 'to') ?? '' }),
    }),
  }),
}

const rewrite: PageAct<AccountPageCall> = {
  run: async (call, box) => ({
    answer: content(call, {
      rewritten: await rewriteMail(box, { ...mailIn(call), html: call.fields.get('html') ?? '', file: null }),
    }),
  }),
}

/** `/a/ACCOUNT/links`: signs click links, and rewrites the links of a pasted mail. It stores nothing. */
export const linksPage: AccountPage = {
  path: '/a/:account/links',
  link: { group: 'Site', text: 'Links' },
  scope: 'publish',
  show: async (call) => content(call, {}),
  forms: {
    scope: 'publish',
    bytesMax: formBytesMax,
    chosen: actsBy('do', { sign, rewrite }),
    refused: async (call, _, why) => content(call, { fault: why.message }),
  },
}

const mailIn = (call: AccountPageCall) => {
  const parts = { email: typed(call, 'email'), message: typed(call, 'message'), domain: typed(call, 'domain') }
  return typedMail({ account: call.account.handle, ...parts })
}

const typed = ({ fields }: AccountPageCall, name: string): string | undefined => fields.get(name)?.trim() || undefined

interface Outcome {
  fault?: string
  signed?: SignedLink
  rewritten?: ClickLinkedMail
}

const content = (call: AccountPageCall, outcome: Outcome): PageContent => ({
  body: html`<p class="reading">A click link records the click and leads to a page on one of the account’s domains. It never reveals
its recipient.</p>${faultLine(outcome.fault ?? null)}${signedNote(outcome)}${rewrittenNote(outcome)}${signForm(call)}${rewriteForm(call, outcome)}`,
})

const signForm = (call: AccountPageCall): Markup => {
  const [domain = ''] = call.account.settings.domains
  return html`<section aria-labelledby="sign"><h2 id="sign">Sign a link</h2>
<form class="narrow" method="post">
<label for="to">Destination</label><input id="to" name="to" type="url" required maxlength="4000" value="${sent(call, 'sign', 'to')}" placeholder="https://${domain}/launch">
${mailFields(call, 'sign')}
<p class="do"><button name="do" value="sign">Sign the link</button></p></form></section>`
}

const signedNote = ({ signed }: Outcome): Markup | null =>
  signed === undefined
    ? null
    : doneNote(html`${copyField({ id: 'signed', label: 'The click link', text: signed.url })}
<p class="hint">It leads to ${signed.destination}.</p>${warningList(signed.warnings)}`)

const rewriteForm = (call: AccountPageCall, { rewritten }: Outcome): Markup =>
  html`<section aria-labelledby="rewrite"><h2 id="rewrite">Rewrite the links of an email</h2>
<form method="post">
<label for="html">The email’s HTML</label>
<textarea id="html" name="html" class="mono" rows="8" required spellcheck="false" maxlength="${mailCharactersMax}">
${rewritten === undefined ? sent(call, 'rewrite', 'html') : null}</textarea>
<p class="hint">Nothing but links changes. Unsubscribe links, placeholders and links to other hosts stay as they are.</p>
<div class="narrow">${mailFields(call, 'rewrite')}</div>
<p class="do"><button name="do" value="rewrite">Rewrite the links</button></p></form></section>`

function rewrittenNote({ rewritten }: Outcome): Markup | null {
  if (rewritten === undefined) return null
  const { signed, left, warnings, html: mail } = rewritten
  return html`${doneNote(html`<p><strong>${plural(signed, 'link')} changed, ${plural(left.length, 'link')} not changed.</strong></p>
${copyField({ id: 'rewritten', label: 'The email with click links', text: mail, rows: 8 })}${warningList(warnings)}`)}${leftTable(left)}`
}

const warningList = (warnings: readonly LinkWarning[]): Markup | null =>
  warnings.length === 0
    ? null
    : html`<ul>${warnings.slice(0, warningsShownMax).map(({ line, message }) => html`<li>${mark('leads nowhere', 'bad')} ${line === null ? null : `Line ${line}: `}${inWords(message)}</li>`)}</ul>${moreHint(warnings.length - warningsShownMax)}`

const moreHint = (more: number): Markup | null =>
  more > 0 ? html`<p class="hint">And ${plural(more, 'more', 'more')}.</p>` : null

const leftTable = (left: ClickLinkedMail['left']): Markup | null =>
  left.length === 0
    ? null
    : html`<h3>Not changed</h3>${table('Links not changed', leftColumns, left.slice(0, leftShownMax))}${moreHint(left.length - leftShownMax)}`

const leftColumns: TableColumn<ClickLinkedMail['left'][number]>[] = [
  { head: 'Link', kind: 'mono', cell: ({ href }) => href },
  { head: 'Why', cell: ({ why }) => why },
]

/** The fields about the mail. Both forms have them, and keep their own values. */
const mailFields = (call: AccountPageCall, form: 'sign' | 'rewrite'): Markup => {
  const wanted = sent(call, form, 'domain')
  const domains = call.account.settings.domains.map((domain) => option(domain, wanted))
  return html`<label for="${form}-message">Your name for the mail (readable in the link)</label>
<input id="${form}-message" name="message" maxlength="200" autocomplete="off" value="${sent(call, form, 'message')}" placeholder="2026-11-news">
<label for="${form}-email">Recipient (optional; the link contains only an opaque id)</label>
<input id="${form}-email" name="email" type="email" maxlength="254" autocomplete="off" value="${sent(call, form, 'email')}">
<label for="${form}-domain">Domain</label>
<select id="${form}-domain" name="domain"><option value="">chosen for you</option>${domains}</select>`
}

const sent = ({ fields }: AccountPageCall, form: string, name: string): string =>
  fields.get('do') === form ? (fields.get(name) ?? '') : ''
