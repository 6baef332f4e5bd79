import type { AccountStore } from '../../account/account-store.ts'
import { type Actor, type AuditEntry, type AuditLog, noChange, whyFailed } from '../../console/audit/audit-log.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import type { AuditChange } from '../../operations/act.ts'
import type { ActName } from '../../operations/act-words.ts'
import { type ClusterChanges, notYetShared } from '../cluster/cluster-changes.ts'
import { typingUser } from '../input/typing-user.ts'
import { printable } from '../output/text.ts'
import type { Session } from '../session.ts'

/** What the audit log says of a command. */
export interface CommandAct<T> {
  action: ActName
  /** The account's handle; absent: it concerns the box. */
  account?: string
  /** What it is done to: a name or an id, never an address of a visitor. A function where the result may know; `null`: it failed. */
  subject?: string | ((result: T | null) => string)
  change?: (result: T) => AuditChange
}

/** What noting an act needs of the opened box. */
export interface NotingBox {
  accounts: Pick<AccountStore, 'find'>
  clock: Clock
  consoleStores(): Promise<{ audit: Pick<AuditLog, 'add'> }>
  /** `null`: a single box. */
  changes: ClusterChanges | null
}

/**
 * Does a piece of work and writes it down in the audit log (docs/console.md), however it ends. The work counts: where
 * the log cannot be written, the command says so and goes on.
 */
export async function notedCommand<T>(
  { box, session, act }: { box: NotingBox; session: Session; act: CommandAct<T> },
  work: () => Promise<T>,
): Promise<T> {
  const { action, subject = act.account ?? '', change } = act
  // A note is a change too.
  await box.changes?.refuseElsewhere()
  // An account may come or go with the work.
  const before = await accountId(box, act)
  const note = async (outcome: AuditEntry['outcome'], subject: string, changed = noChange): Promise<void> => {
    const accountOf = before ?? (await accountId(box, act))
    await add(box, session, { action, subject, outcome, accountId: accountOf, ...changed, actor: actorOf(session.env) })
    if ((await box.changes?.share()) === false) session.err.write(`Warning: ${notYetShared}\n`)
  }
  try {
    const result = await work()
    await note('done', typeof subject === 'string' ? subject : subject(result), change?.(result))
    return result
  } catch (error) {
    await note('failed', typeof subject === 'string' ? subject : subject(null), whyFailed(error))
    throw error
  }
}

type KnownPart = Omit<AuditEntry, 'id' | 'at' | 'address'>

async function add(box: NotingBox, { err }: Session, known: KnownPart): Promise<void> {
  try {
    const { audit } = await box.consoleStores()
    await audit.add({ ...known, id: newId(), at: box.clock.now(), address: '' })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    err.write(`Warning: ${printable(`The audit log could not be written: ${why}`)}\n`)
  }
}

const accountId = async (
  { accounts }: Pick<NotingBox, 'accounts'>,
  { account }: Pick<CommandAct<never>, 'account'>,
): Promise<AuditEntry['accountId']> => (account === undefined ? null : ((await accounts.find(account))?.id ?? null))

function actorOf(env: Session['env']): Actor {
  const name = typingUser(env)
  return { kind: 'command', id: name, label: name }
}
