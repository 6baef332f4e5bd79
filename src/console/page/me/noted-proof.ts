import { actorOf, doneBy, note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { Proof } from '../../session/session.ts'
import { newSessionSecret, sessionCookie, sessionHash } from '../../session/session-cookie.ts'
import type { PageCall } from '../page.ts'

type Prover = Pick<PageCall, 'caller' | 'address' | 'secure'> & {
  endpoint: 'POST /prove' | 'POST /prove/passkey' | 'POST /me/password'
}

/**
 * Takes note that the user has proved who they are.
 *
 * @returns cookies for the browser: a proved session goes on under a new secret, in case the old one was copied
 */
export async function noteProof(by: Prover, box: ConsoleBox, proof: Proof): Promise<string[]> {
  const { userId, sessionId } = by.caller
  const secret = newSessionSecret()
  await box.sessions.noteProof(sessionId, { at: box.clock.now(), by: proof, hash: sessionHash(secret) })
  const act = { action: 'session.prove', accountId: null, subject: userId, by: doneBy(by) } as const
  await note(act, box, { outcome: 'done' })
  return [sessionCookie(secret, { secure: by.secure, cookieMark: box.cookieMark })]
}

/** Takes note that somebody has not: they may sit at the user's screen. */
export const refusedProof = (
  { caller, address, endpoint }: Prover,
  { refused }: ConsoleBox,
  kind: 'wrong_proof' | 'too_many',
): Promise<void> => refused.note({ kind, endpoint, address, actor: actorOf(caller), subject: caller.userId })
