import type { CeremonyPlace } from '../sign-in/passkeys.ts'

/** Where the browser that sent a request believes itself to be. */
export function placeOf({ headers }: Request, secure: boolean): CeremonyPlace {
  const { hostname, origin } = new URL(`${secure ? 'https' : 'http'}://${headers.get('host') ?? 'localhost'}`)
  return { host: hostname, origin }
}
