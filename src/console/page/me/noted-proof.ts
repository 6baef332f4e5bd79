import { actorOf, doneBy, note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { PageCall } from '../page.ts'

type Prover = Pick<PageCall, 'caller' | 'address'> & { endpoint: 'POST /prove' | 'POST /prove/passkey' }

/** Takes note that the user has proved who they are, or has not: somebody may sit at their screen. */
export async function noteProof(by: Prover, box: ConsoleBox, isProved: boolean): Promise<void> {
  const { userId, sessionId } = by.caller
  if (!isProved) return refusedProof(by, box, 'wrong_proof')
  await box.sessions.noteProof(sessionId, box.clock.now())
  const act = { action: 'session.prove', accountId: null, subject: userId, by: doneBy(by) } as const
  await note(act, box, { outcome: 'done' })
}

export const refusedProof = (
  { caller, address, endpoint }: Prover,
  { refused }: ConsoleBox,
  kind: 'wrong_proof' | 'too_many',
): Promise<void> => refused.note({ kind, endpoint, address, actor: actorOf(caller), subject: caller.userId })
