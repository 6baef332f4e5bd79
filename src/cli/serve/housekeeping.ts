import { backFreeMb, leastFreeMb, type StorageRoom, storageRoom } from '../../capture/storage-room.ts'
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

/** Watches free disk space, decides what may still be stored, and logs each change. */
export class RoomWatch {
  /** Changes in place. */
  readonly room: StorageRoom

  constructor(
    freeMb: number,
    /** May be changed while it watches. */
    public minFreeMb: number,
    private readonly log: Pick<Log, 'info' | 'warn'>,
  ) {
    this.room = storageRoom(freeMb, minFreeMb)
    this.tell({ ...this.room, storesPageViews: true, storesEvents: true }, freeMb)
  }

  update(freeMb: number): void {
    const before = { ...this.room }
    Object.assign(this.room, storageRoom(freeMb, this.minFreeMb, before))
    this.tell(before, freeMb)
  }

  private tell(before: StorageRoom, freeMb: number): void {
    const least = leastFreeMb(this.minFreeMb)
    this.tellOf('Page views are', [before.storesPageViews, this.room.storesPageViews], {
      freeMb,
      leastMb: least.pageViews,
    })
    this.tellOf('Events are', [before.storesEvents, this.room.storesEvents], { freeMb, leastMb: least.events })
  }

  private tellOf(
    what: string,
    [did, does]: [boolean, boolean],
    { freeMb, leastMb }: { freeMb: number; leastMb: number },
  ): void {
    if (did === does) return
    const fields = { freeMb: Math.floor(freeMb), leastMb: Math.ceil(does ? backFreeMb(leastMb) : leastMb) }
    if (does) this.log.info(`${what} stored again: there is room on the disk.`, fields)
    else
      this.log.warn(`${what} no longer stored: the disk has too little room. Make some, or lower min_free_mb.`, fields)
  }
}

/** In bytes. Below this resident memory no collection is requested; a busy server stays near 200 MB (docs/performance.md). */
const residentBytesMin = 120 * 1024 * 1024
/** How far the process may grow above its resting size. */
const growthMax = 1.25
/** The resting size is the minimum after this many collections, because a collection at a busy moment leaves more. */
const collectionsRemembered = 10

interface Memory {
  /** `null`: unreadable, for example without a free descriptor. */
  residentBytes(): number | null
  collect(): void
}

const ownMemory: Memory = {
  residentBytes: () => {
    try {
      return process.memoryUsage.rss()
    } catch {
      return null
    }
  },
  collect: () => Bun.gc(false),
}

/**
 * Requests a full collection when the process has grown by a quarter above its size after collections. By default the engine keeps
 * old garbage until the heap has doubled, which is late on a machine with much memory. Collections run concurrently, so their
 * result is read at the next check.
 */
export class MemoryWatch {
  private readonly left: number[] = []
  private isCollecting = false

  constructor(private readonly memory: Memory = ownMemory) {}

  async look(): Promise<void> {
    const residentBytes = this.memory.residentBytes()
    if (residentBytes === null) return
    if (this.isCollecting) this.remember(residentBytes)
    this.isCollecting = residentBytes > this.bytesMax()
    if (this.isCollecting) this.memory.collect()
  }

  private remember(bytes: number): void {
    this.left.push(bytes)
    if (this.left.length > collectionsRemembered) this.left.shift()
  }

  private bytesMax(): number {
    const atRest = this.left.length === 0 ? 0 : Math.min(...this.left)
    return Math.max(residentBytesMin, atRest * growthMax)
  }
}
