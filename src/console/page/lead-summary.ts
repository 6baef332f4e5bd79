import { fieldLabel } from '../../account/field-label.ts'
import type { Form } from '../../account/form.ts'
import type { JsonValue } from '../../lib/json-value.ts'
import { isJsonObject } from '../../lib/lossless-json.ts'
import { messageIn } from '../../operations/submission/message-field.ts'
import { phoneToCall } from '../../operations/submission/personal-field.ts'
import type { SubmissionRecord } from '../../report/record.ts'
import { isNameField, whoSent } from '../../report/sender-name.ts'
import { mask } from '../access/masked.ts'
import { senderText } from './sender-text.ts'
import { capturedValue, cut, onOneLine } from './values.ts'

const wordsCharactersMax = 160

interface SubmissionSummary {
  who: string
  /** The message first. */
  answers: readonly string[]
  /** The same in short. */
  words: string
}

/** Who sent it, and what they answered: never the name again. @param nobody who sent it without name and address */
export function summaryOf(
  record: SubmissionRecord,
  form: Pick<Form, 'schema'> | null,
  nobody?: string,
): SubmissionSummary {
  const who = whoSent(record.fields, record.identity.email)
  const answers = answersIn(record, { form, who })
  return { who: senderText(who, nobody), answers, words: answersText(answers) }
}

export const answersText = (answers: readonly string[]): string => cut(answers.join(' · '), wordsCharactersMax)

/** The message, then the other answers, which say little without their labels, in the order of the form's schema. */
function answersIn(
  record: SubmissionRecord,
  { form, who }: { form: Pick<Form, 'schema'> | null; who: string | null },
): string[] {
  const { fields, honeypot, identity } = record
  const declared = form?.schema.properties
  const names = new Set([...(isJsonObject(declared) ? Object.keys(declared) : []), ...Object.keys(fields)])
  const phone = phoneToCall(fields)
  const message = messageIn(record, form)?.name
  const answers = [...names].flatMap((name) => {
    const text = name === honeypot.field || isNameField(name) ? '' : onOneLine(answerText(fields[name]))
    const isContact = text === who || text === phone || text.toLowerCase() === identity.email
    const isAnswer = text !== '' && text !== mask && !isContact && !isSwitch(text)
    return isAnswer ? [{ name, text: name === message ? text : `${before(fieldLabel(form, name))} ${text}` }] : []
  })
  return answers
    .toSorted((one, other) => Number(other.name === message) - Number(one.name === message))
    .map(({ text }) => text)
}

/** A question ends by itself. */
const before = (label: string): string => (/[?:]$/.test(label) ? label : `${label}:`)

const answerText = (value: JsonValue | undefined): string =>
  Array.isArray(value) ? value.map(capturedValue).join(', ') : capturedValue(value)

/** A ticked box says nothing without its question, which is the form's. */
const isSwitch = (text: string): boolean => /^(?:on|off|true|false|yes|no|0|1)$/i.test(text)
