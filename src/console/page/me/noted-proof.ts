import { doneBy, note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { PageCall } from '../page.ts'

/** Takes note that the user has proved who they are, or has not: somebody may sit at their screen. */
export async function noteProof(
  by: Pick<PageCall, 'caller' | 'address'>,
  box: ConsoleBox,
  isProved: boolean,
): Promise<void> {
  const { userId, sessionId } = by.caller
  if (isProved) await box.sessions.noteProof(sessionId, box.clock.now())
  const act = { action: 'session.prove', accountId: null, subject: userId, by: doneBy(by) } as const
  await note(act, box, { outcome: isProved ? 'done' : 'refused' })
}
