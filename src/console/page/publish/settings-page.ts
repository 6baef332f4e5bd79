import { html, type Markup } from '../../../lib/html.ts'
import { ChangedMeanwhile, NotThere } from '../../../lib/operator-error.ts'
import { siteFaultsOf } from '../../../operations/upload/apply-upload.ts'
import { editSiteToml } from '../../../operations/upload/edit-site-toml.ts'
import { keptFolder, siteTomlTag } from '../../../operations/upload/kept-folder.ts'
import { permissionOn } from '../../access/permission.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { publisherOf } from '../../publisher.ts'
import { messagePage } from '../message-page.ts'
import type { AccountPage, AccountPageCall, PageContent } from '../page.ts'
import { notePageAct } from '../page-audit.ts'
import { faultsPart } from './faults-part.ts'
import { planPart } from './plan-part.ts'
import { shownOnce } from './shown-once.ts'

/** A longer text is edited where the folder lies. */
const textCharactersMax = 500_000

/** `/a/ACCOUNT/settings`: site.toml as text. What it would change is shown before it is saved. */
export const settingsPage: AccountPage = {
  of: 'account',
  path: '/a/:account/settings',
  link: { group: 'Behind it', text: 'Settings' },
  scope: 'read',
  clients: 'nothing',
  formBytesMax: 2_097_152,
  async show(call, box) {
    const text = await keptText(call, box)
    if (typeof text !== 'string') return content(call, text)
    return content(call, html`${editor(call, { text, tag: siteTomlTag(text), planned: null })}${download(call)}`)
  },
  async act(call, box) {
    if (!mayPublish(call)) return messagePage('notAllowed')
    const kept = await keptText(call, box)
    if (typeof kept !== 'string') return content(call, kept)
    const text = asWritten(call.fields.get('text') ?? '', kept)
    const tag = call.fields.get('tag') ?? ''
    return content(
      call,
      await outcome(call, { text, tag, isSave: call.fields.get('planned') === siteTomlTag(text) }, box),
    )
  },
}

const content = (_: AccountPageCall, body: Markup): PageContent => ({ title: 'Settings', body })

/** The text of the kept folder; markup says why there is none to edit. */
async function keptText({ account }: AccountPageCall, box: ConsoleBox): Promise<string | Markup> {
  try {
    const { siteToml } = await keptFolder(box, account.handle)
    if (siteToml.length <= textCharactersMax) return siteToml
    return html`<p>This site.toml is too long for this page. Take the folder, edit it there, and publish it.</p>`
  } catch (error) {
    if (error instanceof NotThere) return html`<p>${error.message}</p>`
    throw error
  }
}

const mayPublish = ({ account, caller }: AccountPageCall): boolean =>
  permissionOn(account.id, caller, { scope: 'publish', clients: 'nothing' }) === 'whole'

/** A form's lines end in CR LF (HTML, section 4.10.21.4); the file's end as they did. */
const asWritten = (sent: string, kept: string): string =>
  /\r\n/.test(kept) && !/[^\r]\n/.test(kept) ? sent : sent.replaceAll('\r\n', '\n')

interface Edit {
  text: string
  tag: string
  /** Whether this very text was planned before. */
  isSave: boolean
}

async function outcome(call: AccountPageCall, { text, tag, isSave }: Edit, box: ConsoleBox): Promise<Markup> {
  const { account, caller } = call
  const edit = { account: account.handle, text, known: [tag], by: publisherOf(caller) }
  try {
    const plan = await editSiteToml(box, { ...edit, dryRun: !isSave })
    if (!isSave)
      return html`${planPart(plan, account.settings.timezone)}${editor(call, { text, tag, planned: siteTomlTag(text) })}`
    await notePageAct(call, { action: 'account.settings', subject: account.handle, box })
    const now = await keptFolder(box, account.handle)
    const next = { text: now.siteToml, tag: siteTomlTag(now.siteToml), planned: null }
    return html`<div class="note" role="status"><p><strong>Saved.</strong> Visitors see it now.</p>${shownOnce(plan)}</div>${editor(call, next)}${download(call)}`
  } catch (error) {
    const again = editor(call, { text, tag, planned: null })
    if (error instanceof ChangedMeanwhile)
      return html`<p class="fault" role="alert">${error.message} Your text is below: copy it first.</p>${again}`
    const faults = siteFaultsOf(error)
    if (faults === null) throw error
    return html`${faultsPart(faults, text)}${again}`
  }
}

interface EditorContent {
  text: string
  tag: string
  /** The tag of the text that was planned; `null`: none was. */
  planned: string | null
}

function editor(call: AccountPageCall, { text, tag, planned }: EditorContent): Markup {
  const may = mayPublish(call)
  const rows = String(Math.min(40, text.split('\n').length + 2))
  const buttons =
    planned === null ? html`<button>Show what would change</button>` : html`<button>Save and publish</button>`
  // The parser drops a line feed right behind the tag (HTML, section 13.2.6.4.7): one more keeps the text's own.
  return html`<form class="editor" method="post"><label for="text">site.toml</label>
<textarea id="text" name="text" rows="${rows}" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"${may ? null : html` readonly`}>
${text}</textarea><input type="hidden" name="tag" value="${tag}"><input type="hidden" name="planned" value="${planned ?? ''}">
${may ? html`<p class="do">${buttons}</p>` : html`<p class="hint">Your role reads these settings; who publishes may change them.</p>`}</form>`
}

const download = ({ account }: AccountPageCall): Markup =>
  html`<h2>The folder</h2><p>The box keeps the folder that was applied last. Its secrets stay here: each stands as <code>"(kept in the box)"</code>, which keeps it.</p><p><a class="button" href="/api/v1/accounts/${account.handle}/folder">Download it as a zip</a></p>`
