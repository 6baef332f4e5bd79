import type { AccountSettings, StoredAccount } from '../../account/account.ts'
import type { Form } from '../../account/form.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { instantOrNull } from '../../lib/instant.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { previewAddresses } from '../page/preview-link.ts'
import { accountCaughtUp, type OnRecordNotice } from '../record/catch-up.ts'

/** A form as a list shows it. */
export interface ListedForm extends Pick<Form, 'id' | 'name' | 'version' | 'registered' | 'honeypot'> {
  consentTextId: string | null
  redirectUrl: string | null
  botCheck: { required: boolean; provider: AccountSettings['botCheck']['provider'] }
  /** Whether visitors are asked by mail to confirm what they sent. */
  confirm: boolean
  /** Whether visitors get a reply by mail. */
  reply: boolean
  /** Where its pages may be, beside the account's own domains. */
  origins: string[]
  /** When its last submission was received, refused ones included; ISO 8601. `null`: it has none. */
  lastSubmissionAt: string | null
}

/** The forms of an account, in order of their ids. @throws NotThere when there is no account of that handle */
export async function listForms(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions'>,
  handle: string,
  onNotice: OnRecordNotice,
): Promise<{ account: string; forms: ListedForm[] }> {
  const account = await accountCaughtUp(box, handle, onNotice)
  const formIds = account.forms.map(({ id }) => id)
  const latest = await box.submissions.lastReceived(account.id, formIds)
  const forms = account.forms.map((form) => listedForm(form, account, latest.get(form.id) ?? null))
  return { account: account.handle, forms }
}

const listedForm = (
  { id, name, version, registered, honeypot, botCheck, consentTextId, redirectUrl, confirm, reply }: Form,
  { settings }: StoredAccount,
  lastAt: number | null,
): ListedForm => ({
  id,
  name,
  version,
  registered,
  honeypot,
  consentTextId,
  redirectUrl,
  botCheck: {
    required: botCheck === 'inherit' ? settings.botCheck.required : botCheck === 'on',
    provider: settings.botCheck.provider,
  },
  confirm: confirm !== null,
  reply: reply !== null,
  origins: settings.origins,
  lastSubmissionAt: instantOrNull(lastAt),
})

/** Where websites get what the forms of an account need. */
export interface FormPlaces {
  /** What addresses on the account's first domain begin with; `null`: it has none. */
  base: string | null
  /** The signed address of the test page, valid for an hour. */
  testPageUrl: string
}

/** @throws NotThere when there is no account of that handle */
export async function formPlaces(
  box: Pick<Box, 'accounts' | 'signingKeys' | 'config' | 'clock'>,
  named: string,
): Promise<FormPlaces> {
  const account = await accountNamed(box.accounts, named)
  const previews = await previewAddresses(box, account)
  const [domain] = account.settings.domains
  return {
    base: domain === undefined ? null : publicBase(box.config, domain),
    testPageUrl: previews.testPage(),
  }
}
