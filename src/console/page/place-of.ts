import type { CeremonyPlace } from '../sign-in/passkeys.ts'

/** The host name and origin that the sender of a request sees in the browser. */
export function placeOf({ headers }: Request, secure: boolean): CeremonyPlace {
  const { hostname, origin } = new URL(`${secure ? 'https' : 'http'}://${headers.get('host') ?? 'localhost'}`)
  return { host: hostname, origin }
}
