import type { Answer } from './http.ts'

/** An identity cookie as an answer sets it. */
export interface SetCookie {
  name: string
  value: string
  /** Without the first pair, sorted: they may come in any order. */
  attributes: string[]
}

/** The one cookie that the answer sets; `null`: none. */
export function setCookieOf({ headers }: Pick<Answer, 'headers'>): SetCookie | null {
  const all = headers.getSetCookie()
  if (all.length > 1) throw new Error(`several cookies were set: ${all.join(' | ')}`)
  const [pair = '', ...attributes] = (all[0] ?? '').split(/;\s*/)
  const equals = pair.indexOf('=')
  if (equals < 0) return null
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1), attributes: attributes.sort() }
}

/** The `Cookie` header with which a browser gives the answer's cookie back. @throws when the answer sets none */
export function cookieHeaderOf(answer: Pick<Answer, 'headers'>): string {
  const cookie = setCookieOf(answer)
  if (cookie === null) throw new Error('the answer sets no cookie')
  return `${cookie.name}=${cookie.value}`
}

/** The device that a cookie's value names. */
export const deviceOf = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1).split('.')[0] ?? ''
