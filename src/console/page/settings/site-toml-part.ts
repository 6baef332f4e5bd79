import { html, type Markup } from '../../../lib/html.ts'
import { ChangedMeanwhile, OperatorError } from '../../../lib/operator-error.ts'
import { revisionOf } from '../../../lib/revision.ts'
import { changedLines } from '../../../lib/text-diff.ts'
import { appliedDone, settingsAct } from '../../../operations/apply/apply-act.ts'
import { planOnly, siteFaultsOf } from '../../../operations/upload/apply-upload.ts'
import { editSiteToml } from '../../../operations/upload/kept-folder.ts'
import { settingsConflict } from '../../../operations/upload/settings-conflict.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { settingsEditorPath } from '../../look/files.ts'
import { doneNote, faultNote, operatorMessage } from '../../look/notice.ts'
import { backLink } from '../../look/shell.ts'
import type { PageContent } from '../../page-content.ts'
import { publishingAs } from '../../publisher.ts'
import { refusalStatus } from '../act-form.ts'
import { type AccountPageCall, may, type PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { consentPart, ticked, untilTicked } from '../publish/consent-part.ts'
import { faultsPart } from '../publish/faults-part.ts'
import { dnsPart, planPart, shownOnce } from '../publish/plan-part.ts'
import { asEdit, editableText, pageOfChange } from '../site-toml-change.ts'
import { askedLine } from '../site-toml-line.ts'
import { conflictPart } from './conflict-part.ts'

/** Of the text as it was opened and as it is, encoded. */
export const formBytesMax = 4_194_304

/** The text of `site.toml`, closed until its reader wants it or follows a link to a line, and the folder as a zip. */
export function siteTomlPart(call: AccountPageCall, kept: string | Markup, box: Pick<ConsoleBox, 'clock'>): Markup {
  const opened = (text: string) => ({ text, tag: revisionOf(text), at: box.clock.now() })
  const { handle } = call.account
  const mayPublish = may(call, 'publish')
  const upload = mayPublish ? html`<a class="button" href="/a/${handle}/publish">Publish a folder</a>` : null
  if (typeof kept !== 'string')
    return html`<div id="site-toml">${kept}${upload && html`<p class="do">${upload}</p>`}</div>`
  const line = askedLine(call.url, kept)
  return html`<div class="do" id="site-toml"><details class="folded edit"${line === null ? null : html` open`}><summary>${mayPublish ? 'Edit' : 'Read'} site.toml</summary>
<p class="hint">As it was last published. Passwords and keys show as <code>"(kept in the box)"</code>. Leave that text to keep them.</p>${editor(call, { text: kept, opened: opened(kept), line })}</details>
<a class="button" href="/api/v1/accounts/${handle}/folder">Download the folder</a>${upload}</div>`
}

/** The text of the kept folder, or why there is none. */
export const keptText = (call: AccountPageCall, box: ConsoleBox): Promise<string | Markup> =>
  editableText(call, box).catch((error: unknown) => reasonOf(error, call))

function reasonOf(error: unknown, { caller }: AccountPageCall): Markup {
  if (error instanceof OperatorError) return html`<p>${operatorMessage(error.message, caller)}</p>`
  throw error
}

export const isEdit = ({ fields }: AccountPageCall): boolean => fields.has('text')
const sentText = ({ fields }: AccountPageCall): string => fields.get('text') ?? ''
const withoutReturns = (text: string): string => text.replaceAll('\r\n', '\n')

/** Whether the user has seen the plan of exactly this text, whatever its line ends. */
const isPlanned = (call: AccountPageCall): boolean =>
  !call.fields.has('again') &&
  [sentText(call), withoutReturns(sentText(call))].some((text) => revisionOf(text) === call.fields.get('planned'))

/** A form's lines end in CR LF (HTML, section 4.10.21.4); the file's end as they did. */
const asWritten = (sent: string, kept: string): string =>
  /\r\n/.test(kept) && !/[^\r]\n/.test(kept) ? sent : withoutReturns(sent)

async function editIn(call: AccountPageCall, box: ConsoleBox) {
  const text = asWritten(sentText(call), await editableText(call, box))
  const known = [openedIn(call).tag]
  return { account: call.account.handle, text, known, ...publishingAs(call.caller, call.account.id) }
}

/** Shows what the text would change; once that was seen, saves it. @param shown the page with a note that it is saved */
export const editAct = (
  call: AccountPageCall,
  shown: (call: AccountPageCall, box: ConsoleBox, note: Markup) => Promise<PageContent>,
): PageAct<AccountPageCall> => (isPlanned(call) ? save(shown) : plan)

const plan: PageAct<AccountPageCall> = {
  async run(call, box) {
    const edit = await editIn(call, box)
    const planned = await editSiteToml(box, { ...edit, ...planOnly })
    const { text } = edit
    const opened = openedIn(call)
    const changed = changedLines(opened.text, withoutReturns(text))
    const isAllowed = planned.notAllowed === null
    const consent = isAllowed ? consentPart(planned.harm) : null
    const around = (acts: Markup) =>
      html`${planPart(planned, { account: call.account, changed, consent, acts })}${dnsPart(planned.dns)}`
    const body = editor(call, {
      text,
      opened,
      planned: { tag: isAllowed ? revisionOf(text) : null, changed, hint: untilTicked(planned.harm), around },
    })
    return { answer: { title: 'What would change', back: backFrom(call), body } }
  },
}

/** Shows what a button of another page would change in the text. */
export const changeAct: PageAct<AccountPageCall> = {
  async run(call, box) {
    const edit = await asEdit(call, box)
    try {
      return await plan.run(edit, box)
    } catch (why) {
      if (!(why instanceof OperatorError)) throw why
      return { answer: { status: refusalStatus(why), ...(await editRefused(edit, box, why)) } }
    }
  },
}

const saved = 'Saved and published.'

const save = (shown: Parameters<typeof editAct>[1]): PageAct<AccountPageCall> => ({
  noted: { action: settingsAct.name, subject: ({ account }) => account.handle },
  async run(call, box) {
    const applied = await editSiteToml(box, {
      ...(await editIn(call, box)),
      dryRun: false,
      accept: ticked(call.fields),
    })
    const done = await appliedDone(applied, box)
    const page = pageOfChange(call)
    if (page !== null && applied.deliverySecrets.length === 0 && applied.trackingKey === null)
      return { ...done, answer: seeOther(page.href), notice: saved }
    const note = doneNote(html`<p><strong>${saved}</strong></p>${shownOnce(applied)}`)
    const account = (await box.accounts.find(call.account.handle)) ?? call.account
    return { ...done, answer: await shown({ ...call, account }, box, note) }
  },
})

/** The text as it was typed, below the reason why it was refused. */
export async function editRefused(call: AccountPageCall, box: ConsoleBox, why: OperatorError): Promise<PageContent> {
  const text = sentText(call)
  if (why instanceof ChangedMeanwhile) return conflict(call, box)
  const faults = siteFaultsOf(why)
  const reason = faults === null ? faultNote(operatorMessage(why.message, call.caller)) : faultsPart(faults, text, true)
  return {
    title: 'Not saved',
    back: backFrom(call),
    body: html`${reason}${editor(call, { text, opened: openedIn(call), faults: faults ?? [] })}`,
  }
}

/** Goes on from what the box has now, with the changes of both where they fit together. */
async function conflict(call: AccountPageCall, box: ConsoleBox): Promise<PageContent> {
  const { text: opened, at: openedAt } = openedIn(call)
  const text = sentText(call)
  const now = box.clock.now()
  const found = await settingsConflict(box, { account: call.account.handle, opened, openedAt, text })
  const next = { text: found.text, tag: revisionOf(found.text), at: now }
  const again = editor(call, { text: found.merged ?? text, opened: next })
  const body = conflictPart(found, { again, timezone: call.account.settings.timezone })
  return { title: 'Not saved', back: backFrom(call), body }
}

/** To where the edit began. */
const wayBack = (call: AccountPageCall) =>
  pageOfChange(call) ?? { href: `/a/${call.account.handle}/settings`, text: 'Settings' }

function backFrom(call: AccountPageCall): Markup {
  const { href, text } = wayBack(call)
  return backLink(href, text)
}

/** The text that an edit began with. */
interface Opened {
  text: string
  tag: string
  /** Epoch milliseconds. */
  at: number
}

const openedIn = ({ fields }: AccountPageCall): Opened => ({
  text: withoutReturns(fields.get('opened') ?? ''),
  tag: fields.get('tag') ?? '',
  at: Number(fields.get('at')) || 0,
})

interface EditorContent {
  text: string
  opened: Opened
  /** Of the text whose plan is shown; absent: no plan is shown. Without a tag, the reader may not save it. */
  planned?: { tag: string | null; changed: readonly number[]; hint: Markup | null; around(acts: Markup): Markup }
  /** To begin at; `null`: its first. */
  line?: number | null
  /** Of the text. */
  faults?: NonNullable<ReturnType<typeof siteFaultsOf>>
}

function editor(call: AccountPageCall, { text, opened, planned, line = null, faults = [] }: EditorContent): Markup {
  const isActed = may(call, 'publish')
  const rows = String(Math.min(40, text.split('\n').length + 2))
  // The parser drops a line feed right behind the tag (HTML, section 13.2.6.4.7): one more keeps the text's own.
  const field = html`<label for="text">site.toml</label>
<textarea id="text" name="text" rows="${rows}" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"${isActed ? null : html` readonly`}>
${text}</textarea>`
  if (!isActed)
    return html`<div class="editor" data-editor="${settingsEditorPath}" data-line="${line}">${field}<p class="hint">You can read these settings. To change them, you need a role that may publish.</p></div>`
  const isUnsaved = text !== opened.text
  const discard = isUnsaved ? html` <a href="${wayBack(call).href}">Discard the changes</a>` : null
  const plan = html`<p class="do"><button>Show what would change</button>${discard}</p>`
  const save = html`<p class="do"><button>Save and publish</button>${planned?.hint ?? null} <button class="second" name="again" value="1" formnovalidate>Show what would change</button>${discard}</p>`
  return html`<form class="editor" method="post" data-editor="${settingsEditorPath}" data-unsaved="${isUnsaved && !isOfButton(call) ? 'yes' : 'no'}" data-faults="${linesOf(faults)}" data-changed="${planned?.changed.join(' ') ?? ''}" data-line="${line}">${planned?.around(planned.tag === null ? plan : save) ?? plan}${field}
<input type="hidden" name="opened" value="${opened.text}" data-typed><input type="hidden" name="tag" value="${opened.tag}" data-typed><input type="hidden" name="at" value="${opened.at}" data-typed><input type="hidden" name="planned" value="${planned?.tag ?? ''}"><input type="hidden" name="for" value="${call.fields.get('for') ?? ''}"></form>`
}

/** Whether a button made the text just now: whoever leaves it has typed nothing. The editor's own form always names a plan, an empty one too. */
const isOfButton = (call: AccountPageCall): boolean => pageOfChange(call) !== null && !call.fields.has('planned')

const linesOf = (faults: NonNullable<ReturnType<typeof siteFaultsOf>>): string =>
  faults.flatMap(({ file, line }) => (file === 'site.toml' && line !== null ? [String(line)] : [])).join(' ')
