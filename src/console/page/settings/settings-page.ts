import { html, type Markup } from '../../../lib/html.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { doneNote } from '../../look/notice.ts'
import type { PageContent } from '../../page-content.ts'
import { showPersonal } from '../../user/colleague-acts.ts'
import { actForm } from '../act-form.ts'
import { type AccountPage, type AccountPageCall, actsBy, may } from '../page.ts'
import { seeOther } from '../page-http.ts'
import { factsTable } from '../values.ts'
import { changeAct, editAct, editRefused, formBytesMax, isEdit, keptText, siteTomlPart } from './site-toml-part.ts'
import { summaryPart } from './summary-part.ts'
import { keyActs, newKey, type RotatedKey, scriptTagPart, trackingKeysPart } from './tracking-key-part.ts'

interface Outcome {
  /** What was done, or why it was refused. */
  note?: Markup | null
  /** The key that was just made; no other page shows it. */
  rotated?: RotatedKey
}

const showToClients = actForm(showPersonal, {
  input: ({ fields }) => ({ show: fields.get('personal') === 'show' }),
  shown: ({ answer: { shown } }) => ({
    notice: shown ? 'Clients see personal fields from now on.' : 'Personal fields are masked to clients from now on.',
  }),
})

const acts = actsBy('act', {
  ...keyActs(async (call, box, rotated) => content(call, box, { note: doneNote(newKey(rotated)), rotated })),
  clients: showToClients,
})

/**
 * `/a/ACCOUNT/settings`: the settings in force, `site.toml`, the tracking key, and what clients see. A form of another page names one
 * `change` of `site.toml` and its `value`, and gets the plan.
 */
export const settingsPage: AccountPage = {
  path: '/a/:account/settings',
  link: { group: 'Setup', text: 'Settings', icon: 'sliders' },
  scope: 'read',
  show: (call, box) => content(call, box),
  forms: {
    scope: 'publish',
    bytesMax: formBytesMax,
    chosen(call) {
      if (call.fields.has('change')) return changeAct
      return isEdit(call) ? editAct(call, (call, box, note) => content(call, box, { note })) : acts(call)
    },
    refused: (call, box, why) => (isEdit(call) ? editRefused(call, box, why) : null),
  },
}

/** An address that the page had parts at. */
const partAt = (last: string, part: string): AccountPage => ({
  path: `/a/:account/${last}`,
  scope: 'read',
  show: async ({ account }) => seeOther(`/a/${account.handle}/settings${part}`),
})

export const accountAddress = partAt('account', '')
export const keysAddress = partAt('keys', '#tracking-key')

async function content(
  call: AccountPageCall,
  box: ConsoleBox,
  { note = null, rotated }: Outcome = {},
): Promise<PageContent> {
  const { handle } = call.account
  const kept = await keptText(call, box)
  const isManaged = may(call, 'admin')
  return {
    body: html`${note}<p class="said">Choose a value to change it in <code>site.toml</code>.</p>
${siteTomlPart(call, kept, box)}${summaryPart(call.account, typeof kept === 'string' ? kept : null)}${await scriptTagPart(call, box, rotated ?? null)}${isManaged ? clientsPart(await box.users.showsPersonal(call.account.id)) : null}
<h2>Rarely needed</h2>${await trackingKeysPart(call, box)}
<details class="more"><summary>Handle and id</summary>${factsTable([
      ['Handle', html`<code>${handle}</code>`],
      ['Id', html`<code class="wrap">${call.account.id}</code>`],
    ])}</details>${call.caller.isOwner ? removeWay(handle) : null}`,
  }
}

const removeWay = (handle: string): Markup =>
  html`<h2>Remove account</h2><p class="do"><a class="button" href="/a/${handle}/remove">Remove this account …</a> <span class="hint">You review what is removed first.</span></p>`

const clientsPart = (isShown: boolean): Markup => html`<h2>What clients see</h2><p class="said">${
  isShown
    ? 'Clients see leads with everything that visitors entered.'
    : 'Clients see what visitors asked for. Email addresses, names, phone numbers and texts of more than 40 characters are masked.'
}</p>
<form method="post"><input type="hidden" name="act" value="clients"><p class="do"><button class="second" name="personal" value="${isShown ? 'mask' : 'show'}">${isShown ? 'Mask personal fields' : 'Let clients see personal fields'}</button></p></form>`
