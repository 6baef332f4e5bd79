import type { AssetStore } from '../asset/asset-store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { AssetWriter } from './asset-writer.ts'
import { writeBase } from './base-writer.ts'
import { breather } from './breather.ts'
import { Chain } from './chain.ts'
import { openSealer } from './format/sealing.ts'
import { assertOwner } from './owner.ts'
import { pause } from './pause.ts'
import { SideWork } from './side-work.ts'
import type { BackupSource } from './source.ts'
import { sweep } from './sweep.ts'
import { type Hold, type HoldParts, holdTarget } from './target-hold.ts'
import type { TargetReport } from './target-report.ts'
import { WeeklyCheck } from './weekly-check.ts'

export interface BackupTerms {
  recipients: readonly string[]
  baseEveryMs: number
  /** 0: none. */
  incrementEveryMs: number
  keepMs: number
}

export interface RunnerParts extends HoldParts {
  source: BackupSource
  assets: Pick<AssetStore, 'open'>
  run: string
  terms: BackupTerms
  /** The program's version. */
  program: string
  /** A file for the copy of the database. */
  scratch: () => { file: string; remove(): void }
  report: TargetReport
  clock: Clock
  log: Log
}

/** Between two looks at a target that gets no increments. */
const idleMs = 60_000
/** The longest wait after failures, and that before a base is tried again. */
const pauseMsMax = 60_000

/** Keeps one target up to date, for as long as a service runs. */
export class TargetRunner {
  private readonly ending = new AbortController()
  private readonly contents: AssetWriter
  private readonly check: WeeklyCheck
  private hold: Hold | null = null
  private chain: Chain | null = null
  /** Counts the bases begun: each has a chain of its own, or increments would have to be kept as long as the base before. */
  private bases = 0
  /** `BackupSource.version` at the latest look at everything. */
  private version = 0
  /** The box's revision, and that whose contents were sent. */
  private revision = 0
  private sentRevision = 0
  private baseNotBefore = 0
  private isSweepDue = false
  private failures = 0
  private running: Promise<void> = Promise.resolve()
  private readonly beside: SideWork

  constructor(private readonly parts: RunnerParts) {
    this.contents = new AssetWriter(parts.target, parts.assets)
    this.beside = new SideWork(parts.report, this.ending.signal, () => this.contents.forget())
    this.check = new WeeklyCheck(parts)
  }

  start(): void {
    this.running = this.loop()
  }

  /** Begins nothing more; what is under way ends between two objects. */
  async stop(): Promise<void> {
    this.ending.abort()
    await this.running
    await this.beside.settle()
  }

  private async loop(): Promise<void> {
    const { signal } = this.ending
    const { clock } = this.parts
    while (!signal.aborted) {
      const beganAtMs = clock.monotonicMs()
      try {
        await this.turn()
        this.failures = 0
      } catch (error) {
        // Whoever takes over from this process may write there already.
        if (signal.aborted) return
        this.failures++
        // Taken anew: the disk may be another one now, or another box may write there.
        this.hold = null
        this.parts.report.failed('increments', error)
      }
      await pause(this.pauseMs(clock.monotonicMs() - beganAtMs), signal)
    }
  }

  /** What comes right after a look is there when the next turn has ended: the next one is expected to take as long. */
  private pauseMs(tookMs: number): number {
    const { incrementEveryMs, baseEveryMs } = this.parts.terms
    const usualMs = incrementEveryMs || Math.min(idleMs, baseEveryMs)
    if (this.failures === 0) return Math.max(usualMs / 2, usualMs - 2 * tookMs)
    return Math.max(usualMs, Math.min(pauseMsMax, usualMs * 2 ** this.failures))
  }

  /** Looks at the box once. @throws when the target could not be brought up to date */
  private async turn(): Promise<void> {
    const { target, clock, terms, report } = this.parts
    if (this.hold === null) this.chain = null
    this.hold ??= await holdTarget(this.parts)
    const { hold } = this
    await assertOwner(target, hold.owner)
    const now = clock.now()
    if (now >= this.baseNotBefore && isBaseDue(hold, now, terms)) this.beside.begin('bases', () => this.makeBase(hold))
    else if (this.sentRevision !== this.revision) this.beside.begin('contents', () => this.sendContents())
    else if (this.isSweepDue) this.beside.begin('deletions', () => this.deleteOld())
    else if (hold.base !== null && this.check.isDue(now))
      this.beside.begin('verification', (signal) => this.check.run(signal))
    if (hold.base === null || terms.incrementEveryMs === 0) return report.succeeded('increments')
    await this.extend(hold)
    report.succeeded('increments', { safeAt: now })
  }

  private async extend(hold: Hold): Promise<void> {
    const { source, terms } = this.parts
    const { bases } = this
    const version = source.version()
    if (this.chain !== null && version === this.version) return
    const chain = this.chain ?? (await Chain.begin({ ...this.parts, history: hold.owner.history }, terms.recipients))
    // Nobody knows whether a failed increment is there, so no other follows it.
    this.chain = null
    const sight = await chain.extend({ at: this.nextInstant(hold), from: hold.from })
    hold.from = sight.to
    this.revision = sight.revision
    // A state that was not looked at is, as soon as it is its turn.
    this.version = sight.state === null ? Number.NaN : version
    if (bases === this.bases) this.chain = chain
  }

  /** Everything at a target has an instant of its own, in order, even when the clock is set back. */
  private nextInstant(hold: Hold): number {
    hold.latestAt = Math.max(this.parts.clock.now(), hold.latestAt + 1)
    return hold.latestAt
  }

  private async makeBase(hold: Hold): Promise<void> {
    const { clock, log, program, report, scratch, source, target, terms } = this.parts
    this.baseNotBefore = clock.now() + pauseMsMax
    const at = this.nextInstant(hold)
    this.bases++
    this.chain = null
    const base = await writeBase({
      ...{ target, source, assets: this.contents, recipients: terms.recipients, history: hold.owner.history, at },
      ...{ program, scratch, breathe: breather(clock), signal: this.ending.signal },
    })
    // The hold may have been taken anew meanwhile.
    const { hold: present } = this
    if (present?.owner.history === hold.owner.history) {
      if (present.base === null) present.from = base.to
      present.base = base
    }
    const isSafe = terms.incrementEveryMs === 0 || report.safeAt === null
    report.succeeded('bases', { baseAt: at, ...(isSafe ? { safeAt: at } : {}) })
    const { assets, bytes, missingAssets } = base
    log.info('A base was backed up.', { target: target.url, bytes, assets, missingAssets })
    this.baseNotBefore = 0
    this.isSweepDue = true
  }

  private async deleteOld(): Promise<void> {
    const { clock, log, source, target, terms } = this.parts
    const { keepMs, baseEveryMs } = terms
    const swept = await sweep(target, { now: clock.now(), keepMs, baseEveryMs, hashes: source.hashes() })
    this.isSweepDue = false
    if (swept.contents > 0) this.contents.forget()
    if (swept.bases + swept.increments + swept.contents > 0)
      log.info('Old backups were deleted.', { target: target.url, ...swept })
  }

  private async sendContents(): Promise<void> {
    const { source, terms } = this.parts
    const { revision } = this
    await this.contents.send(source.hashes(), await openSealer(terms.recipients), this.ending.signal)
    this.sentRevision = revision
  }
}

const isBaseDue = ({ base }: Hold, now: number, { baseEveryMs }: BackupTerms): boolean =>
  base === null || now - base.at >= baseEveryMs
