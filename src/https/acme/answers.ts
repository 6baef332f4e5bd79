import type { Answer } from './transport.ts'
import { isHttps, unintelligible } from './transport.ts'

/** A JSON object of an answer, with untrusted members. */
export type Members = Readonly<Record<string, unknown>>

/** Enough for the essential part of a problem document or an order. */
const shownCharacters = 80

/** @throws AcmeProblem `unintelligible` when the answer is not a JSON object */
export function membersOf({ url, status, headers, text }: Answer): Members {
  const members = asMembers(parsed(text))
  if (members !== null) return members
  const type = headers.get('content-type') ?? 'no content type'
  const start = text.trim() === '' ? 'nothing' : `"${text.trim().slice(0, shownCharacters)}"`
  throw unintelligible(`${url} answered ${status} (${type}) with ${start}, where JSON was due`, status)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const asMembers = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null

/** `''`: not a string. */
export const textIn = (members: Members, name: string): string => {
  const value = members[name]
  return typeof value === 'string' ? value : ''
}

/** The strings of a list, without other values. */
export const textsIn = (members: Members, name: string): string[] => {
  const value = members[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** @throws AcmeProblem `unintelligible` when the member is not an https URL */
export function urlIn(members: Members, name: string, where: string): string {
  const url = textIn(members, name)
  if (!isHttps(url)) throw unintelligible(`${where} has no https URL as "${name}"`)
  return url
}

/** The `Location` of an answer. @throws AcmeProblem `unintelligible` without an https URL */
export function locationOf({ url, status, headers }: Answer): string {
  const location = headers.get('location') ?? ''
  const absolute = URL.canParse(location, url) ? new URL(location, url).href : ''
  if (location === '' || !isHttps(absolute))
    throw unintelligible(`${url} answered ${status} without a Location`, status)
  return absolute
}
