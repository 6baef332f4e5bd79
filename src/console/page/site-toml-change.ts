import { html, type Markup } from '../../lib/html.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { revisionOf } from '../../lib/revision.ts'
import { keptSiteToml } from '../../operations/upload/kept-folder.ts'
import { changedSettings, isSettingsChange, type SettingsChange } from '../../operations/upload/settings-change.ts'
import type { ConsoleBox } from '../console-box.ts'
import { FormRefusal } from './act-form.ts'
import { type AccountPageCall, may } from './page.ts'

/** A longer text has to be edited in the folder. */
const textCharactersMax = 500_000

/** The text of the kept folder. @throws NotThere, FormRefusal with the reason why it cannot be edited */
export async function editableText({ account }: AccountPageCall, box: ConsoleBox): Promise<string> {
  const siteToml = await keptSiteToml(box, account.handle)
  if (siteToml.length <= textCharactersMax) return siteToml
  throw new FormRefusal(
    'This site.toml is too long for this page. Download the folder, edit the file, and publish the folder.',
  )
}

/** The text of the kept folder, for buttons that change it. `null`: nobody can edit it here, or the caller may not. */
export async function changeableText(call: AccountPageCall, box: ConsoleBox): Promise<string | null> {
  if (!may(call, 'publish')) return null
  try {
    return await editableText(call, box)
  } catch (error) {
    if (error instanceof OperatorError) return null
    throw error
  }
}

/** A form whose answer is the plan of one change of `site.toml`. @param value the field or the button that has it, called `value` */
export const changeForm = (
  handle: string,
  change: SettingsChange['change'],
  value: Markup,
  look: 'sheet' | null = null,
): Markup =>
  html`<form${look && html` class="${look}"`} method="post" action="/a/${handle}/settings"><input type="hidden" name="change" value="${change}">${value}</form>`

/** The call as if its sender had opened `site.toml` and made there what the form's `change` and `value` name. @throws OperatorError */
export async function asEdit(call: AccountPageCall, box: ConsoleBox): Promise<AccountPageCall> {
  const opened = await editableText(call, box)
  const [change = '', value = ''] = ['change', 'value'].map((name) => call.fields.get(name))
  const text = isSettingsChange(change) ? changedSettings(opened, { change, value }) : null
  if (text === null) throw new FormRefusal('This cannot be changed here. Edit site.toml instead.')
  const fields = { text, opened, tag: revisionOf(opened), at: String(box.clock.now()), for: change }
  return { ...call, fields: new Map(Object.entries(fields)) }
}

interface ChangePage {
  /** The last part of its address. */
  last: string
  text: string
}

const pages: Record<SettingsChange['change'], ChangePage> = {
  origin: { last: 'refusals', text: 'Refusals' },
  form: { last: 'forms', text: 'Forms' },
  domain: { last: 'domains', text: 'Domains' },
  mail: { last: 'deliveries', text: 'Deliveries' },
}

/** The page whose button began an edit; `null`: it was begun in the text. */
export function pageOfChange({
  account,
  fields,
}: AccountPageCall): (Omit<ChangePage, 'last'> & { href: string }) | null {
  const change = fields.get('for') ?? ''
  if (!isSettingsChange(change)) return null
  const { last, ...page } = pages[change]
  return { href: `/a/${account.handle}/${last}`, ...page }
}
