import type { AssetStore } from '../asset/asset-store.ts'
import type { CopiedDatabase } from '../backup/source.ts'
import { faultWords } from '../backup/target/backup-target.ts'
import type { Clock } from '../lib/clock.ts'
import { inTime } from '../lib/in-time.ts'
import type { Log } from '../lib/log.ts'
import { type BaseNote, type BaseStore, decodeBaseNote } from './base-store.ts'
import type { ClusterLog, LinkPlace } from './cluster-log.ts'
import type { ContentStore, ReferencedContents } from './content-store.ts'

/** A base is older than this at most, so that whoever joins has few links to apply. */
const everyMs = 24 * 60 * 60 * 1000
/** How often the store is looked through. */
const upkeepMs = 60 * 60 * 1000
const retryMs = 60 * 1000
/** Nobody waits longer for a store that does not answer. */
const stopMsMax = 1000
/** A node that was away for less follows on. One that was away for longer joins anew. */
const linksKeptMs = 7 * 24 * 60 * 60 * 1000

/** The leader's database, as bases are made of it. */
export interface BaseSource extends ReferencedContents {
  /** Its migrations. */
  readonly schema: number
  /** @returns a copy, its place in the chain, and the last entry in it */
  copyTo(file: string, signal: AbortSignal): Promise<{ copy: CopiedDatabase; place: LinkPlace | null; to: number }>
}

export interface BaseMaking {
  log: Pick<ClusterLog, 'base' | 'forget'>
  bases: BaseStore
  contents: ContentStore
  /** Makes the place of the store. */
  create: () => Promise<void>
  here: Pick<AssetStore, 'open'>
  source: BaseSource
  /** A file for the copy, which is removed afterwards. */
  scratch: () => { file: string; remove(): void }
  /** This program's version. */
  program: string
  clock: Clock
  notices: Log
}

/** A base that is in the store, and not in the chain yet. */
export interface MadeBase {
  note: BaseNote
  /** The end of the ledger in it. */
  to: number
}

/** A base of the database as it was when it was asked for: `copying` the database, `putting` the copy into the store, or there. */
export interface BaseUnderWay {
  state: 'copying' | 'putting' | 'failed' | MadeBase
}

/** What makes bases while a node leads. */
export interface LeadersBases {
  /** To be announced by a link, once the chain holds all of it. */
  readonly made: MadeBase | null
  /** The base that was made is in the chain. */
  announced(): void
  /** Makes one at once, beside which no other counts. */
  remake(): BaseUnderWay
  stop(): Promise<void>
}

/**
 * What a leader does for those who join: it puts what is published into the store, and once a day a copy of its database.
 * Works beside the making of links, for as long as this node leads.
 */
export class BaseMaker implements LeadersBases {
  made: MadeBase | null = null
  /** The last that was asked for. */
  private asked: BaseUnderWay | null = null
  private remakes = 0
  private readonly end = new AbortController()
  private readonly working: Promise<void>
  private wake = (): void => {}
  private readonly beganAtMs: number

  constructor(private readonly making: BaseMaking) {
    this.beganAtMs = making.clock.monotonicMs()
    this.working = this.work()
  }

  announced(): void {
    this.made = null
    this.asked = null
    this.wake()
  }

  remake(): BaseUnderWay {
    const asked: BaseUnderWay = { state: 'copying' }
    this.asked = asked
    this.remakes++
    this.made = null
    const put = (): void => {
      asked.state = 'putting'
    }
    void this.make(put).then(
      (made) => {
        asked.state = made
      },
      (error: unknown) => {
        asked.state = 'failed'
        this.noteFailure(error)
      },
    )
    return asked
  }

  async stop(): Promise<void> {
    this.end.abort(new Error('this node stops leading'))
    this.wake()
    await inTime(this.working, stopMsMax)
  }

  private async work(): Promise<void> {
    while (!this.end.signal.aborted) {
      const pauseMs = await this.upkeep().catch((error: unknown) => {
        this.noteFailure(error)
        return retryMs
      })
      await this.pause(pauseMs)
    }
  }

  private noteFailure(error: unknown): void {
    if (this.end.signal.aborted) return
    const { notices, bases } = this.making
    notices.error('The store of the cluster could not be kept up. That is tried again.', {
      store: bases.url,
      error: faultWords(error) ?? `${error}`,
    })
  }

  /** @returns after how many milliseconds there is something to do again */
  private async upkeep(): Promise<number> {
    const { log, bases, contents, create, here, source, clock } = this.making
    const { signal } = this.end
    const link = await log.base()
    if (link === null) await create()
    // Before the base, so that whoever joins finds what it names.
    await contents.supply(here, source, signal)
    // Before that, what names a file may still be on the disk of a node that was cut off.
    if (clock.monotonicMs() - this.beganAtMs >= upkeepMs) await contents.clear(source, clock.now(), signal)
    const newest = link && decodeBaseNote(link.body)
    const putAt = newest && (await bases.putAt(newest.name))
    if (newest === null || putAt === null || putAt < clock.now() - everyMs) {
      if (this.made === null && this.asked === null) {
        const { remakes } = this
        const made = await this.make()
        // What was asked for meanwhile holds more: who joined from this one would not get past its link.
        if (this.remakes === remakes) this.made = made
      }
      return upkeepMs
    }
    await log.forget(newest.place.number, linksKeptMs)
    await bases.sweep(newest.name, clock.now())
    return upkeepMs
  }

  private async make(onCopied = (): void => {}): Promise<MadeBase> {
    const { bases, source, scratch, program, notices } = this.making
    const { signal } = this.end
    const { file, remove } = scratch()
    try {
      const { copy, place, to } = await source.copyTo(file, signal)
      try {
        onCopied()
        if (place === null) throw new Error('there is no link yet')
        const name = await bases.put(copy, { schema: source.schema, program }, signal)
        notices.info('A base of the cluster is in its store.', { store: bases.url, base: name, bytes: copy.bytes })
        return { note: { name, place }, to }
      } finally {
        copy.close()
      }
    } finally {
      remove()
    }
  }

  private async pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.wake = resolve
    const timer = setTimeout(resolve, ms)
    if (this.end.signal.aborted) resolve()
    await promise
    clearTimeout(timer)
  }
}
