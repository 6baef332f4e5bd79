import type { Clock } from '../../lib/clock.ts'
import { rateLimitAddress } from '../../lib/ip.ts'
import type { AttemptBudget, AttemptBudgets } from '../access/attempts.ts'
import type { Actor, AuditLog } from './audit-log.ts'
import { note } from './noted-act.ts'

/** Why the console refuses somebody, with what the audit log says they tried (docs/monitoring.md). */
const actionsByKind = {
  /** A user's password or code. */
  wrong_password: 'session.begin',
  unknown_user: 'session.begin',
  wrong_passkey: 'session.begin',
  wrong_proof: 'session.prove',
  /** Wrong, expired or revoked. */
  wrong_token: 'token.use',
  /** The role or scope does not allow it, or the caller has no part in the account. */
  forbidden: 'access.try',
  cross_site: 'access.try',
  /** A budget is used up. */
  too_many: 'access.try',
} as const

export type RefusalKind = keyof typeof actionsByKind
export const refusalKinds = Object.keys(actionsByKind) as RefusalKind[]

export interface RefusedTry {
  kind: RefusalKind
  /** Method and path as the console declares them, such as `POST /a/:account/keys`: nothing that was typed. */
  endpoint: string
  /** Of the client. */
  address: string
  /** Absent: nobody who is known. */
  actor?: Actor
  /** The id of the user or token that was tried; absent: unknown. */
  subject?: string
  accountId?: string | null
}

interface RefusedTriesParts {
  audit: Pick<AuditLog, 'add'>
  budgets: AttemptBudgets
  clock: Pick<Clock, 'now'>
  /** Called for each refusal, whether it gets a line or not. */
  onRefusal: (kind: RefusalKind) => void
}

/** Lines for one address and action. */
const linesOfAddress = { tokensMax: 10, windowSeconds: 60 }
/** Lines for all: 400 days of a flood stay below 200 MB. */
const linesOfBox: AttemptBudget = { key: 'console refusal lines', tokensMax: 1000, windowSeconds: 86_400 }
const summedUpEveryMs = 600_000
const addressesNamedMax = 20

const nobody: Actor = { kind: 'nobody', id: '', label: '' }

/**
 * Counts what the console refuses, and writes it to the audit log within a budget, so that no flood fills the log. What has
 * no line of its own is summed up in one line every ten minutes.
 */
export class RefusedTries {
  private readonly leftOut = new Map<RefusalKind, number>()
  private readonly addresses = new Map<string, number>()
  private leftOutSince: number | null = null

  constructor(private readonly parts: RefusedTriesParts) {}

  /** Never fails: somebody who is refused stays refused without a line. */
  async note(refused: RefusedTry): Promise<void> {
    const { kind, address } = refused
    this.parts.onRefusal(kind)
    const key = `console refusal lines ${actionsByKind[kind]} ${rateLimitAddress(address)}`
    const isOver = (await this.parts.budgets.take([{ key, ...linesOfAddress }, linesOfBox])) > 0
    if (isOver || !(await this.isWritten(refused))) this.leaveOut(kind, address)
  }

  /** Writes the line about what was left out, once ten minutes have passed. @param isLast the console ends */
  async sumUp({ isLast = false } = {}): Promise<void> {
    const { audit, clock } = this.parts
    if (this.leftOutSince === null) return
    if (!isLast && clock.now() - this.leftOutSince < summedUpEveryMs) return
    const after = {
      since: new Date(this.leftOutSince).toISOString(),
      ...Object.fromEntries(this.leftOut),
      addresses: [...this.addresses].map(([address, count]) => `${address}: ${count}`),
    }
    this.leftOut.clear()
    this.addresses.clear()
    this.leftOutSince = null
    const by = { actor: nobody, address: '' }
    const act = { action: 'refusals.sum', accountId: null, subject: '', by } as const
    await note(act, { audit, clock }, { outcome: 'refused', change: { before: null, after } })
  }

  private async isWritten({ kind, endpoint, address, ...known }: RefusedTry): Promise<boolean> {
    const { actor = nobody, subject = '', accountId = null } = known
    const act = { action: actionsByKind[kind], accountId, subject, by: { actor, address } }
    const change = { before: null, after: { kind, endpoint } }
    return note(act, this.parts, { outcome: 'refused', change }).then(
      () => true,
      () => false,
    )
  }

  private leaveOut(kind: RefusalKind, address: string): void {
    this.leftOutSince ??= this.parts.clock.now()
    this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1)
    const named = rateLimitAddress(address)
    const name = this.addresses.has(named) || this.addresses.size < addressesNamedMax ? named : 'others'
    this.addresses.set(name, (this.addresses.get(name) ?? 0) + 1)
  }
}
