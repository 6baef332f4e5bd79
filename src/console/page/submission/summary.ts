import type { JsonObject } from '../../../lib/json-value.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { capturedValue, cut } from '../captured.ts'

const whoCharactersMax = 60
const wordsCharactersMax = 140
/** A shorter text is more likely an answer to a question than a message. */
const wordsCharactersMin = 12
const nameFields = ['name', 'fullname', 'full_name', 'your-name', 'firstname', 'first_name']

/** The sender and the message, one line each. */
export interface SubmissionSummary {
  who: string
  words: string
}

export function summaryOf({ fields, identity }: SubmissionRecord): SubmissionSummary {
  const who = nameIn(fields) ?? identity.email ?? 'Somebody'
  return {
    who: cut(onOneLine(capturedValue(who)), whoCharactersMax),
    words: cut(onOneLine(longestText(fields, identity.email)), wordsCharactersMax),
  }
}

function nameIn(fields: JsonObject): string | null {
  const byName = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
  for (const name of nameFields) {
    const value = byName.get(name)
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return null
}

function longestText(fields: JsonObject, email: string | null): string {
  const texts = Object.values(fields)
    .map(capturedValue)
    .filter((text) => text !== email && text.length >= wordsCharactersMin)
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
