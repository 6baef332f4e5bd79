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
import { copyField, described, type FieldFault, faultLine, option } from '../../look/fields.ts'
import { doneNote, inWords, notice } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { blaming, FormRefusal, fieldFault } from '../act-form.ts'
import type { AccountPage, AccountPageCall, PageAct } from '../page.ts'

/** Mail programs cut off mails longer than a fifth of this; the API takes more. */
const mailCharactersMax = 524_288
/** Encoding makes a form up to three times as long (URL standard, section 5.2). */
const formBytesMax = 3 * mailCharactersMax
const leftShownMax = 200
const warningsShownMax = 50

/** An address alone is signed; anything else is an email whose links are rewritten. */
const make: PageAct<AccountPageCall> = {
  async run(call, box) {
    const pasted = typed(call, 'links') ?? ''
    const mail = mailIn(call)
    const outcome = await blaming('links', async () =>
      isAddress(pasted)
        ? { signed: await signLink(box, { ...mail, destination: pasted }) }
        : { rewritten: await rewriteMail(box, { ...mail, html: pasted, file: null }) },
    )
    return { answer: content(call, outcome) }
  },
}

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:[^\s<>]+$/i.test(text)

/** `/a/ACCOUNT/links`: makes click links of an address, or of all links of a pasted mail. It stores nothing. */
export const linksPage: AccountPage = {
  path: '/a/:account/links',
  link: { group: 'Site', text: 'Links', icon: 'link' },
  scope: 'publish',
  show: async (call) => content(call, {}),
  forms: {
    scope: 'publish',
    bytesMax: formBytesMax,
    chosen: () => make,
  },
}

const mailIn = (call: AccountPageCall) => {
  const parts = { email: typed(call, 'email'), message: typed(call, 'message'), domain: typed(call, 'domain') }
  const refused: Parameters<typeof typedMail>[1] = (part, expected) => new FormRefusal(`Type ${expected}.`, 422, part)
  return typedMail({ account: call.account.handle, ...parts }, refused)
}

const typed = ({ fields }: AccountPageCall, name: string): string | undefined => fields.get(name)?.trim() || undefined

interface Outcome {
  signed?: SignedLink
  rewritten?: ClickLinkedMail
}

const content = (call: AccountPageCall, outcome: Outcome): PageContent => ({
  body: html`${signedNote(outcome)}${rewrittenNote(outcome)}<p class="said">For newsletters: a click link leads to a page of the account, and the report counts who followed it.</p>${form(call, outcome)}`,
})

const signedNote = ({ signed }: Outcome): Markup | null =>
  signed === undefined
    ? null
    : html`${doneNote(html`<p><strong>Your click link is ready.</strong> Copy it now: it is not saved here.</p>
${copyField({ id: 'signed', label: `To ${signed.destination}`, text: signed.url })}`)}${warningsNote(signed.warnings)}`

/** After a rewritten mail the form is empty: that mail stands above it, with its click links. */
const form = (call: AccountPageCall, { signed, rewritten }: Outcome): Markup => {
  const [domain = ''] = call.account.settings.domains
  const fault = fieldFault(call)
  const pasted = rewritten === undefined ? (call.fields.get('links') ?? '') : ''
  return html`<form class="sheet" method="post">
<label for="links">An address, or the HTML of an email</label>
<textarea id="links" name="links" class="mono" rows="3" required spellcheck="false" maxlength="${mailCharactersMax}" placeholder="https://${domain}/launch"${described('links', fault, 'links-hint')}>
${pasted}</textarea>${faultLine('links', fault)}
<p class="hint" id="links-hint">In an email, only links to your own domains are changed. Unsubscribe links and placeholders stay.</p>
${mailFields(call, fault)}
<p class="do"><button${signed === undefined && rewritten === undefined ? null : html` class="second"`}>Make click links</button></p></form>`
}

function rewrittenNote({ rewritten }: Outcome): Markup | null {
  if (rewritten === undefined) return null
  const { signed, left, warnings, html: mail } = rewritten
  return html`${doneNote(html`<p><strong>${plural(signed, 'link')} changed, ${plural(left.length, 'link')} not changed.</strong> Copy the email now: it is not saved here.</p>
${copyField({ id: 'rewritten', label: 'The email with click links', text: mail, rows: 8 })}`)}${warningsNote(warnings)}${leftTable(left)}`
}

const warningsNote = (warnings: readonly LinkWarning[]): Markup | null =>
  warnings.length === 0
    ? null
    : notice(
        'doubtful',
        html`<p><strong>${plural(warnings.length, 'link leads', 'links lead')} nowhere.</strong></p><ul class="plan">${warnings.slice(0, warningsShownMax).map(({ line, message }) => html`<li>${line === null ? null : `Line ${line}: `}${inWords(message)}</li>`)}</ul>${moreHint(warnings.length - warningsShownMax)}`,
      )

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

/** The fields about the mail. */
const mailFields = ({ fields, account }: AccountPageCall, fault: FieldFault | null): Markup => {
  const { domains } = account.settings
  const domain = html`<div><label for="domain">Domain</label>
<select id="domain" name="domain"${described('domain', fault)}><option value="">chosen for you</option>${domains.map((name) => option(name, fields.get('domain')))}</select>${faultLine('domain', fault)}</div>`
  const isOpen = ['email', 'domain'].some((name) => fields.get(name) || fault?.field === name)
  return html`<div class="fields"><div><label for="message">Name of the email (optional)</label>
<input id="message" name="message" maxlength="200" autocomplete="off" value="${fields.get('message') ?? ''}" placeholder="2026-11-news" aria-describedby="message-hint"><p class="hint" id="message-hint">Shown in the report. Visible in the link.</p></div></div>
<details class="more"${isOpen ? html` open` : null}><summary>For one recipient${domains.length > 1 ? ', or on a certain domain' : null}</summary><div class="fields">
<div><label for="email">Recipient</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="off" value="${fields.get('email') ?? ''}" ${described('email', fault, 'email-hint')}>${faultLine('email', fault)}<p class="hint" id="email-hint">Ties clicks to the person. The link hides the address.</p></div>
${domains.length > 1 ? domain : null}</div></details>`
}
