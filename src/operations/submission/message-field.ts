import { declaredField } from '../../account/field-label.ts'
import type { Form } from '../../account/form.ts'
import type { JsonObject } from '../../lib/json-value.ts'
import { isJsonObject } from '../../lib/lossless-json.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { isPersonalField } from './personal-field.ts'

/** The field with the longest text that the visitor wrote; `null`: there is none. What the form gives to choose from is no text of theirs. */
export function messageIn(
  { fields, honeypot, files }: Pick<SubmissionRecord, 'fields' | 'honeypot' | 'files'>,
  form: Pick<Form, 'schema'> | null,
): { name: string; text: string } | null {
  const others = new Set([honeypot.field, ...files.map(({ field }) => field)])
  const texts = Object.entries(fields).flatMap(([name, value]) => {
    const isTheirs = !others.has(name) && !isPersonalField(name) && !isChoice(declaredField(form, name))
    const text = typeof value === 'string' ? value.trim() : ''
    return isTheirs && isWritten(text) ? [{ name, text }] : []
  })
  return texts.toSorted((one, other) => other.text.length - one.text.length)[0] ?? null
}

const isChoice = (field: JsonObject | null): boolean =>
  field !== null &&
  ('enum' in field ||
    'const' in field ||
    [field.type].flat().includes('boolean') ||
    (isJsonObject(field.items) && isChoice(field.items)))

/** Of a form that declares nothing: a choice is a few words, or numbers as a date is. */
const isWritten = (text: string): boolean => text.split(/\s+/).length > 3 && /\p{L}{2}/u.test(text)
