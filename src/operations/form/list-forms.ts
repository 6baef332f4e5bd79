import type { StoredAccount } from '../../account/account.ts'
import type { Form } from '../../account/form.ts'
import type { LedgerRow } from '../../ledger/ledger.ts'
import type { SubmissionPlace } from '../../report/submission-reader.ts'
import { accountNamed } from '../account/account-named.ts'
import type { Box } from '../box.ts'
import { catchUp } from '../record/catch-up.ts'
import { type OnRecordNotice, readingNotices } from '../record/record-notice.ts'

/** A form as a list shows it. */
export interface ListedForm extends Pick<Form, 'id' | 'name' | 'version' | 'registered' | 'honeypot'> {
  consentTextId: string | null
  redirectUrl: string | null
  botCheck: { required: boolean; provider: string }
  /** Whether visitors get a reply by mail. */
  reply: boolean
  /** Where its pages may be, beside the account's own domains. */
  origins: string[]
  /** The latest submission among the account's latest, refused ones included; ISO 8601. `null`: none of them is of this form. */
  lastSubmissionAt: string | null
}

/** So many of the account's latest submissions are looked through for the latest of each form. */
export const lookedThroughMax = 250
/** Read at a time: mostly the first few name every form. */
const readAtOnce = 25

/** The forms of an account, in order of their ids. @throws NotThere when there is no account of that handle */
export async function listForms(
  box: Pick<Box, 'accounts' | 'processing' | 'submissions'>,
  handle: string,
  onNotice: OnRecordNotice,
): Promise<{ account: string; forms: ListedForm[] }> {
  const account = await accountNamed(box.accounts, handle)
  await catchUp(box.processing, onNotice)
  const latest = await latestByForm(box, account, onNotice)
  const forms = account.forms.map((form) => listedForm(form, account, latest.get(form.id) ?? null))
  return { account: account.handle, forms }
}

async function latestByForm(
  { submissions }: Pick<Box, 'submissions'>,
  { id: accountId, forms }: StoredAccount,
  onNotice: OnRecordNotice,
): Promise<Map<string, number>> {
  const { onUnreadable } = readingNotices(onNotice)
  const query = { accountId, which: 'all', since: null, limit: readAtOnce, onUnreadable } as const
  const latest = new Map<string, number>()
  let behind: SubmissionPlace | null = null
  for (let looked = 0; looked < lookedThroughMax; looked += readAtOnce) {
    const rows: LedgerRow[] = await submissions.latest({ ...query, behind })
    for (const { cursor, entry } of rows) {
      behind = { receivedAt: entry.receivedAt, cursor }
      if (entry.kind === 'submission' && !latest.has(entry.formId)) latest.set(entry.formId, entry.receivedAt)
    }
    if (rows.length === 0 || forms.every(({ id }) => latest.has(id))) break
  }
  return latest
}

const listedForm = (
  { id, name, version, registered, honeypot, botCheck, consentTextId, redirectUrl, reply }: Form,
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
  reply: reply !== null,
  origins: settings.origins,
  lastSubmissionAt: lastAt === null ? null : new Date(lastAt).toISOString(),
})
