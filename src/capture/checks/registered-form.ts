import type { LiveAccount, LiveForm } from '../../account/live-account.ts'
import { Refusal } from '../refusal.ts'

/** Form check 5: the account has the form, and it is registered. */
export function registeredForm(account: LiveAccount, formId: string): LiveForm {
  const form = account.forms.get(formId)
  if (form === undefined) throw new Refusal('form')
  return form
}
