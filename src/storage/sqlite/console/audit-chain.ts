import { ChainWalk, chainStart } from '../../../console/audit/audit-chain.ts'
import type { AuditEntry, ChainedText } from '../../../console/audit/audit-log.ts'
import type { ChainCheck, ChainFault, ChainPlace } from '../../../operations/audit/chain-check.ts'
import type { Connection } from '../database/connection.ts'
import { auditChain } from '../schema/console-schema.ts'

const linesAtOnce = 500

interface LineRow {
  seq: number
  hash: string
  id: string
  at: number
  actorKind: AuditEntry['actor']['kind']
  actorId: string
  actorLabel: string
  address: string
  action: AuditEntry['action']
  accountId: string | null
  subject: string
  outcome: AuditEntry['outcome']
  before: string | null
  after: string | null
}

/** Numbered lines, oldest first, with the JSON as it is stored: what somebody wrote into it need not be JSON. */
export const linesAfter = ({ raw }: Pick<Connection, 'raw'>, seq: number, limit: number): ChainedText[] =>
  raw
    .query<LineRow, [number, number]>(
      `SELECT seq, hash, id, at, actor_kind AS actorKind, actor_id AS actorId, actor_label AS actorLabel, address, action,
        account_id AS accountId, subject, outcome, before, after
      FROM audit_entry WHERE seq > ? ORDER BY seq LIMIT ?`,
    )
    .all(seq, limit)
    .map(({ actorKind, actorId, actorLabel, ...line }) => ({
      ...line,
      actor: { kind: actorKind, id: actorId, label: actorLabel },
    }))

export const chainState = ({ db }: Pick<Connection, 'db'>) => db.select().from(auditChain).get()

/** The last line that was written. */
export function auditHead(connection: Pick<Connection, 'db'>): ChainPlace | null {
  const state = chainState(connection)
  return state === undefined || state.headSeq === 0 ? null : { seq: state.headSeq, hash: state.headHash }
}

/** Reads the last lines of the chain, or all of them, as they were at one instant. */
export const checkChain = (connection: Connection, linesMax?: number): ChainCheck =>
  connection.db.transaction(() => {
    const state = chainState(connection)
    if (state === undefined) return { lines: 0, head: null, fault: { fault: 'unanchored' } }
    const anchor = { seq: state.anchorSeq, hash: state.anchorHash }
    const isBounded = linesMax !== undefined && state.headSeq - linesMax > anchor.seq
    const begin = isBounded ? placeAt(connection, state.headSeq - linesMax) : anchor
    const walk = new ChainWalk(begin)
    const head = { seq: state.headSeq, hash: state.headHash }
    // Below the anchor, nothing should be left.
    const fault = firstFault(connection, { walk, after: isBounded ? begin.seq : Number.MIN_SAFE_INTEGER, head })
    return { lines: walk.lines, head: head.seq === 0 ? null : head, fault }
  })

/** The place of this line, or of the next one if this is gone. */
function placeAt(connection: Connection, seq: number): ChainPlace {
  const [line] = linesAfter(connection, seq - 1, 1)
  return line === undefined ? chainStart : { seq: line.seq, hash: line.hash }
}

interface ToRead {
  walk: ChainWalk
  after: number
  head: ChainPlace
}

function firstFault(connection: Connection, { walk, after, head }: ToRead): ChainFault | null {
  let lines = linesAfter(connection, after, linesAtOnce)
  while (lines.length > 0) {
    for (const line of lines) {
      const fault = line.seq > head.seq ? { fault: 'inserted' as const, seq: line.seq } : walk.next(line)
      if (fault !== null) return fault
    }
    lines = linesAfter(connection, walk.place.seq, linesAtOnce)
  }
  const { seq, hash } = walk.place
  if (seq < head.seq) return { fault: 'missing', from: seq + 1, to: head.seq }
  return hash === head.hash ? null : { fault: 'changed', seq }
}
