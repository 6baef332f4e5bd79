import type { LogConfig } from '../../config/config.ts'
import type { AuditLines, ChainedText } from '../../console/audit/audit-log.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log, LogFields } from '../../lib/log.ts'

/** At most so many a second: whatever is behind follows. */
const linesAtOnce = 100
const headEveryMs = 86_400_000

/** Up to which line the log has them, across restarts. */
interface AuditNote {
  read(): Promise<number | null>
  write(seq: number): Promise<void>
}

interface AuditWatchParts {
  lines: AuditLines
  note: AuditNote
  /** Read at each look: a reload changes it. */
  logging: Pick<LogConfig, 'audit'>
  log: Pick<Log, 'info'>
  clock: Pick<Clock, 'now'>
}

/**
 * Logs the audit log's lines, whichever process wrote them, so that the machine's own tools can take them elsewhere, and once a
 * day its last line, which shows later whether the log was cut off or written anew.
 */
export class AuditWatch {
  private headAt = Number.NEGATIVE_INFINITY
  /** `null`: not known yet, or nothing is logged at present. */
  private loggedSeq: number | null = null

  constructor(private readonly parts: AuditWatchParts) {}

  async look(): Promise<void> {
    this.lookAtHead()
    if (this.parts.logging.audit) await this.logLines()
    else this.loggedSeq = null
  }

  private lookAtHead(): void {
    const { lines, log, clock } = this.parts
    if (clock.now() - this.headAt < headEveryMs) return
    this.headAt = clock.now()
    const head = lines.head()
    if (head !== null) log.info('The audit log’s last line.', { seq: head.seq, hash: head.hash })
  }

  private async logLines(): Promise<void> {
    const { lines, note, log } = this.parts
    this.loggedSeq ??= await this.beginning()
    const found = lines.after(this.loggedSeq, linesAtOnce)
    for (const line of found) log.info('A line of the audit log.', fieldsOf(line))
    const last = found.at(-1)
    if (last === undefined) return
    this.loggedSeq = last.seq
    // Without the note, some lines are logged again after a restart; their numbers show it.
    await note.write(last.seq).catch(() => {})
  }

  /** Goes on behind what was logged last; the first time, with what comes, and not with 400 days at once. */
  private async beginning(): Promise<number> {
    const { lines, note } = this.parts
    const headSeq = lines.head()?.seq ?? 0
    const noted = await note.read()
    if (noted !== null && noted <= headSeq) return noted
    await note.write(headSeq).catch(() => {})
    return headSeq
  }
}

/** With everything that the line's hash covers. */
const fieldsOf = ({ seq, hash, id, at, actor, ...line }: ChainedText): LogFields => ({
  ...{ seq, hash, id, at },
  ...{ actorKind: actor.kind, actorId: actor.id, actorLabel: actor.label },
  address: line.address,
  action: line.action,
  accountId: line.accountId,
  subject: line.subject,
  outcome: line.outcome,
  before: line.before,
  after: line.after,
})
