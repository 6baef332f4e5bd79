import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import type { NotedResult } from '../../operations/act.ts'
import type { ActName } from '../../operations/act-words.ts'
import type { Caller } from '../access/caller.ts'
import { type Actor, type AuditEntry, type AuditLog, noChange, whyFailed } from './audit-log.ts'

/** Longer than any id or name: what a form sends for one may be of any length. */
const subjectCharactersMax = 300

/** Something that the audit log tells of. */
export interface NotedAct {
  action: ActName
  /** `null`: of the box. */
  accountId: string | null
  /** What it is done to: an id or a name; `''` where only the result knows. */
  subject: string
  by: DoneBy
}

/** Who does it, and from where. */
interface DoneBy {
  actor: Actor
  /** Of the client. */
  address: string
}

/** What noting an act needs. */
interface NotingBox {
  audit: Pick<AuditLog, 'add'>
  clock: Pick<Clock, 'now'>
}

/**
 * Does what a page or a call of the API asks for, and writes it down, however it ends (docs/console.md).
 *
 * @param act `null`: nothing that the log tells of
 * @param resultOf what the log learns from the outcome
 */
export async function noted<T>(
  act: NotedAct | null,
  box: NotingBox,
  { work, resultOf }: { work: () => Promise<T>; resultOf: (outcome: T) => NotedResult },
): Promise<T> {
  if (act === null) return work()
  let outcome: T
  try {
    outcome = await work()
  } catch (error) {
    await note(act, box, { outcome: 'failed', change: whyFailed(error) })
    throw error
  }
  const result = resultOf(outcome)
  if (!result.isRepeat) await note(act, box, { outcome: 'done', ...result })
  return outcome
}

/** Writes down what was done, or refused. */
export const note = (
  { action, accountId, subject, by }: NotedAct,
  { audit, clock }: NotingBox,
  result: NotedResult & Pick<AuditEntry, 'outcome'>,
): Promise<void> =>
  audit.add({
    id: newId(),
    at: clock.now(),
    ...by,
    action,
    accountId: result.accountId ?? accountId,
    subject: (result.subject ?? subject).slice(0, subjectCharactersMax),
    outcome: result.outcome,
    ...(result.change ?? noChange),
  })

export const doneBy = ({ caller, address }: { caller: Caller; address: string }): DoneBy => ({
  actor: actorOf(caller),
  address,
})

export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'user'
    ? { kind: 'user', id: caller.userId, label: caller.email }
    : { kind: 'token', id: caller.tokenId, label: caller.name }
