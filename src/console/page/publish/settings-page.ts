import { html, type Markup } from '../../../lib/html.ts'
import { ChangedMeanwhile, OperatorError } from '../../../lib/operator-error.ts'
import { revisionOf } from '../../../lib/revision.ts'
import { appliedDone, settingsAct } from '../../../operations/apply/apply-act.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { planOnly, siteFaultsOf } from '../../../operations/upload/apply-upload.ts'
import { editSiteToml, keptFolder } from '../../../operations/upload/kept-folder.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { settingsEditorPath } from '../../look/files.ts'
import { doneNote, faultLine, operatorMessage } from '../../look/notice.ts'
import type { PageContent } from '../../page-content.ts'
import { publishingAs } from '../../publisher.ts'
import { FormRefusal } from '../act-form.ts'
import { type AccountPage, type AccountPageCall, may, type PageAct } from '../page.ts'
import { settingsPath, settingsTabs, settingsTitle } from '../settings-tabs.ts'
import { consentPart, ticked } from './consent-part.ts'
import { faultsPart, planPart, shownOnce } from './plan-part.ts'

/** A longer text has to be edited in the folder. */
const textCharactersMax = 500_000

/** `/a/ACCOUNT/settings`: site.toml as text. The page shows what a text would change before it is saved. */
export const settingsPage: AccountPage = {
  path: '/a/:account/settings',
  within: settingsPath,
  scope: 'read',
  async show(call, box) {
    const kept = await keptText(call, box).catch((error: unknown) => reasonOf(error, call))
    if (typeof kept !== 'string') return content(call, kept)
    return content(call, html`${editor(call, { text: kept, tag: revisionOf(kept), planned: null })}${download(call)}`)
  },
  forms: {
    scope: 'publish',
    bytesMax: 2_097_152,
    chosen: (call) => (isPlanned(call) ? save : plan),
    refused: async (call, _, why) => content(call, refusedPart(call, why)),
  },
}

const content = (call: AccountPageCall, body: Markup): PageContent => ({
  title: settingsTitle,
  body: html`${settingsTabs(call, 'settings')}${body}`,
})

/** The text of the kept folder. @throws NotThere, FormRefusal with the reason why it cannot be edited */
async function keptText({ account }: AccountPageCall, box: ConsoleBox): Promise<string> {
  const { siteToml } = await keptFolder(box, account.handle)
  if (siteToml.length <= textCharactersMax) return siteToml
  throw new FormRefusal(
    'This site.toml is too long for this page. Download the folder, edit the file, and publish the folder.',
  )
}

function reasonOf(error: unknown, { caller }: AccountPageCall): Markup {
  if (error instanceof OperatorError) return html`<p>${operatorMessage(error.message, caller)}</p>`
  throw error
}

const sentText = ({ fields }: AccountPageCall): string => fields.get('text') ?? ''
const withoutReturns = (text: string): string => text.replaceAll('\r\n', '\n')

/** Whether the user has seen the plan of exactly this text, whatever its line ends. */
const isPlanned = (call: AccountPageCall): boolean =>
  [sentText(call), withoutReturns(sentText(call))].some((text) => revisionOf(text) === call.fields.get('planned'))

/** A form's lines end in CR LF (HTML, section 4.10.21.4); the file's end as they did. */
const asWritten = (sent: string, kept: string): string =>
  /\r\n/.test(kept) && !/[^\r]\n/.test(kept) ? sent : withoutReturns(sent)

async function editIn(call: AccountPageCall, box: ConsoleBox) {
  const text = asWritten(sentText(call), await keptText(call, box))
  const known = [call.fields.get('tag') ?? '']
  return { account: call.account.handle, text, known, ...publishingAs(call.caller, call.account.id) }
}

const plan: PageAct<AccountPageCall> = {
  async run(call, box) {
    const edit = await editIn(call, box)
    const planned = await editSiteToml(box, { ...edit, ...planOnly })
    const again = {
      text: edit.text,
      tag: edit.known[0] ?? '',
      planned: { tag: revisionOf(edit.text), harm: planned.harm },
    }
    return { answer: content(call, html`${planPart(planned, call.account.settings.timezone)}${editor(call, again)}`) }
  },
}

const save: PageAct<AccountPageCall> = {
  noted: { action: settingsAct.name, subject: ({ account }) => account.handle },
  async run(call, box) {
    const applied = await editSiteToml(box, {
      ...(await editIn(call, box)),
      dryRun: false,
      accept: ticked(call.fields),
    })
    const now = await keptText(call, box)
    const next = { text: now, tag: revisionOf(now), planned: null }
    const body = html`${doneNote(html`<p><strong>Saved.</strong> Visitors see it now.</p>${shownOnce(applied)}`)}${editor(call, next)}${download(call)}`
    return { ...(await appliedDone(applied, box)), answer: content(call, body) }
  },
}

function refusedPart(call: AccountPageCall, why: OperatorError): Markup {
  const text = sentText(call)
  const faults = siteFaultsOf(why)
  const again = editor(call, { text, tag: call.fields.get('tag') ?? '', planned: null, faults: faults ?? [] })
  if (why instanceof ChangedMeanwhile)
    return html`${faultLine(`${why.message} Your text is below: copy it before you go on.`)}${again}`
  return html`${faults === null ? faultLine(operatorMessage(why.message, call.caller)) : faultsPart(faults, text)}${again}`
}

interface EditorContent {
  text: string
  tag: string
  /** The tag of the text whose plan is shown, and the harm of that; `null`: no plan is shown. */
  planned: { tag: string; harm: AppliedFolder['harm'] } | null
  /** Of the text. */
  faults?: NonNullable<ReturnType<typeof siteFaultsOf>>
}

function editor(call: AccountPageCall, { text, tag, planned, faults = [] }: EditorContent): Markup {
  const isActed = may(call, 'publish')
  const rows = String(Math.min(40, text.split('\n').length + 2))
  const plan = html`<p class="do"><button>Show what would change</button></p>`
  const save = html`${consentPart(planned?.harm ?? [])}<p class="do"><button>Save and publish</button> <a href="${call.url.pathname}">Discard the changes</a></p>`
  // The parser drops a line feed right behind the tag (HTML, section 13.2.6.4.7): one more keeps the text's own.
  return html`<form class="editor" method="post" data-unsaved="${planned === null ? 'no' : 'yes'}" data-faults="${linesOf(faults)}">${planned === null ? null : save}<label for="text">site.toml</label>
<textarea id="text" name="text" rows="${rows}" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"${isActed ? null : html` readonly`}>
${text}</textarea><input type="hidden" name="tag" value="${tag}"><input type="hidden" name="planned" value="${planned?.tag ?? ''}">
${planned === null && isActed ? plan : null}${isActed ? null : html`<p class="hint">You can read these settings. To change them, you need a role that may publish.</p>`}</form><script src="${settingsEditorPath}" defer></script>`
}

const linesOf = (faults: NonNullable<EditorContent['faults']>): string =>
  faults.flatMap(({ file, line }) => (file === 'site.toml' && line !== null ? [String(line)] : [])).join(' ')

const download = ({ account }: AccountPageCall): Markup =>
  html`<h2>The folder</h2><p>The box keeps the folder that was last applied, without its secrets. In place of each secret it has <code>"(kept in the box)"</code>; applying that text keeps the secret.</p><p><a class="button" href="/api/v1/accounts/${account.handle}/folder">Download as a zip</a></p>`
