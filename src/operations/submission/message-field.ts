import { choicesOf } from '../../account/field-label.ts'
import type { Form } from '../../account/form.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { isPersonalField } from './personal-field.ts'

/** The field with the longest text of more than three words that the visitor wrote, not chose; `null`: there is none. */
export function messageIn(
  { fields, honeypot, files }: Pick<SubmissionRecord, 'fields' | 'honeypot' | 'files'>,
  form: Pick<Form, 'schema'> | null,
): { name: string; text: string } | null {
  const others = new Set([honeypot.field, ...files.map(({ field }) => field)])
  const texts = Object.entries(fields).flatMap(([name, value]) => {
    const isTheirs = !others.has(name) && !isPersonalField(name) && choicesOf(form, name).length === 0
    const text = typeof value === 'string' ? value.trim() : ''
    return isTheirs && isWritten(text) ? [{ name, text }] : []
  })
  return texts.toSorted((one, other) => other.text.length - one.text.length)[0] ?? null
}

/** Few words, or numbers as a date is, say little by themselves, and may be a choice that the form does not declare. */
const isWritten = (text: string): boolean => text.split(/\s+/).length > 3 && /\p{L}{2}/u.test(text)
