import type { Answer } from './http.ts'

/** The identity cookie that an answer sets, as a browser sends it back: `name=value`. Fails when it sets none. */
export function cookieOf({ status, headers, text }: Answer): string {
  const [pair] = headers.get('set-cookie')?.split(';') ?? []
  if (pair === undefined) throw new Error(`the answer sets no cookie: ${status} ${text}`)
  return pair
}
