import { NotAllowed, NotThere, OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import type { AuditChange } from '../../operations/act.ts'
import type { ChainCheck, ChainPlace } from '../../operations/audit/chain-check.ts'

/** Who did it. `command`: somebody with a shell on the box, by the name of the system's user. */
export interface Actor {
  kind: 'user' | 'token' | 'command' | 'nobody'
  /** The user's or token's id; the system user's name; `''` for an unknown visitor. */
  id: string
  /** The user's address, the token's name. */
  label: string
}

/** One line of the audit log (docs/console.md). Persons are named by `personId`, never by address. */
export interface AuditEntry extends AuditChange {
  /** UUIDv7. */
  id: string
  /** Epoch milliseconds. */
  at: number
  actor: Actor
  /** The client's address; `''`: this machine's command line. */
  address: string
  /** The same from a page, the API and a command. Scripts search for these names: none changes. */
  action: string
  /** `null`: of the box. */
  accountId: string | null
  /** The object of the act: an id or a name. */
  subject: string
  outcome: 'done' | 'failed' | 'refused'
}

/** A line as the log holds it. */
export interface AuditLine extends AuditEntry {
  /** Its number in the chain. */
  seq: number
  hash: string
}

/** A line as the hash covers it: changes as the JSON text that is stored. */
export interface LineText extends Omit<AuditEntry, 'before' | 'after'> {
  before: string | null
  after: string | null
}

/** A line in its place in the chain. */
export type ChainedText = LineText & ChainPlace

/** The audit log for a service that only reads it. */
export interface AuditLines {
  /** The last line; `null`: there is none. */
  head(): ChainPlace | null
  /** Numbered lines behind this one, oldest first. */
  after(seq: number, limit: number): ChainedText[]
}

export const noChange: AuditChange = { before: null, after: null }

/** Why an act failed. Only its kind: a message may quote what was typed, and a line is never erased. */
export const whyFailed = (error: unknown): AuditChange => ({ before: null, after: { reason: reasonOf(error) } })

const reasons: Readonly<Record<number, string>> = {
  403: 'not allowed',
  404: 'no such thing',
  409: 'not possible as things stand',
  410: 'no such thing',
  422: 'the input does not fit',
}

function reasonOf(error: unknown): string {
  const status = statusOf(error)
  return reasons[status] ?? (status < 500 ? 'the input does not fit' : 'an error of the box, which its log describes')
}

/** As the API answers it. */
function statusOf(error: unknown): number {
  if (error instanceof NotThere) return 404
  if (error instanceof NotAllowed) return 403
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') return error.status
  if (!(error instanceof OperatorError)) return 500
  return error instanceof UnfitInput ? 422 : 409
}

export const auditKeptDays = 400

export interface AuditQuery {
  /** Entries older than this one, by id. */
  before?: string | undefined
  text?: string | undefined
  accountId?: string | undefined
  /** The address of the user who did it. */
  user?: string | undefined
  /** Only what failed or was refused. */
  failed?: boolean | undefined
  /** 1 to 1000. */
  limit: number
}

/**
 * The audit log: who did what.
 *
 * Guarantees: an entry never changes; `add` resolves when the entry is on disk, chained to the one before it whichever process
 * wrote that; entries are deleted only by age, after `auditKeptDays`, the oldest first.
 */
export interface AuditLog {
  add(entry: AuditEntry): Promise<void>
  /** Latest first. */
  read(query: AuditQuery): Promise<AuditLine[]>
  /** Numbered lines behind this one, oldest first. */
  linesAfter(seq: number, limit: number): Promise<ChainedText[]>
  /** Where the chain begins: the last line that was deleted by age. */
  anchor(): Promise<ChainPlace>
  /** Reads the whole chain. */
  check(): Promise<ChainCheck>
  eraseBefore(at: number): Promise<number>
}
