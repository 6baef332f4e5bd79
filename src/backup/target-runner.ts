import { setTimeout as sleep } from 'node:timers/promises'
import { newShortId } from '../lib/id.ts'
import type { WrittenBase } from './base-writer.ts'
import { type GivenHeader, writeBundle } from './format/bundle.ts'
import { ledgerLines } from './format/increment-lines.ts'
import { incrementName } from './format/object-names.ts'
import { openSealer, type Sealer } from './format/sealing.ts'
import { assertOwner, type Hold, type HoldParts, holdTarget, noteLatest } from './owner.ts'
import type { Sight, StateMemory } from './source.ts'
import { Upkeep, type UpkeepParts } from './upkeep.ts'

type RunnerParts = HoldParts & { run: string } & Omit<UpkeepParts, 'signal' | 'onBaseBegun' | 'onBase'>

/** The time between two looks at a target that gets no increments. */
const idleMs = 60_000
/** The shortest wait after a failure. */
const againMsMin = 1000

export class TargetRunner {
  private readonly ending = new AbortController()
  private readonly upkeep: Upkeep
  private hold: Hold | null = null
  private chain: Chain | null = null
  /** Counts the started bases. Each has its own chain; otherwise increments would have to be kept as long as the previous base. */
  private bases = 0
  /** `BackupSource.version` at the latest complete look. */
  private version = 0
  private hasFailed = false
  private running: Promise<void> = Promise.resolve()

  constructor(private readonly parts: RunnerParts) {
    this.upkeep = new Upkeep({
      ...parts,
      signal: this.ending.signal,
      onBaseBegun: (hold) => this.beginBase(hold),
      onBase: (hold, base) => this.useBase(hold, base),
    })
  }

  start(): void {
    this.running = this.loop()
  }

  /** Starts nothing more; work under way ends between two objects. */
  async stop(): Promise<void> {
    this.ending.abort()
    await this.running
    await this.upkeep.settle()
  }

  private async loop(): Promise<void> {
    const { signal } = this.ending
    const { clock } = this.parts
    while (!signal.aborted) {
      const beganAtMs = clock.monotonicMs()
      try {
        await this.turn()
        this.hasFailed = false
      } catch (error) {
        // The process that takes over may already write to the target.
        if (signal.aborted) return
        this.hasFailed = true
        // Taken again: the disk may have been exchanged, or another box may write to the target.
        this.hold = null
        this.parts.report.failed('increments', error)
      }
      await sleep(this.pauseMs(clock.monotonicMs() - beganAtMs), undefined, { signal }).catch(() => {})
    }
  }

  /** What comes right after a look is there when the next turn has ended: the next one is expected to take as long. */
  private pauseMs(tookMs: number): number {
    const { incrementEveryMs, baseEveryMs } = this.parts.terms
    const usualMs = incrementEveryMs || Math.min(idleMs, baseEveryMs)
    if (!this.hasFailed) return Math.max(usualMs / 2, usualMs - 2 * tookMs)
    return Math.max(againMsMin, usualMs)
  }

  /** Looks at the box once. @throws when the target could not be brought up to date */
  private async turn(): Promise<void> {
    const { target, clock, terms, report } = this.parts
    if (this.hold === null) this.chain = null
    this.hold ??= await holdTarget(this.parts)
    const { hold } = this
    await assertOwner(target, hold.owner)
    const now = clock.now()
    this.upkeep.beginDue(hold)
    if (hold.base === null || terms.incrementEveryMs === 0) return report.succeeded('increments')
    await this.extend(hold)
    report.succeeded('increments', { safeAt: now })
  }

  private async extend(hold: Hold): Promise<void> {
    const { report, source, terms } = this.parts
    const { bases } = this
    const version = source.version()
    if (this.chain !== null && version === this.version) return
    const chain = this.chain ?? new Chain(this.parts, hold.owner.history, await openSealer(terms.recipients))
    // A failed increment may be stored or not, so no other increment follows it.
    this.chain = null
    const at = this.nextInstant(hold)
    report.writes(at)
    const sight = await chain.extend(at, hold.from)
    hold.from = sight.to
    this.upkeep.revision = sight.revision
    this.upkeep.files = sight.files
    // A state that was skipped is compared at its next turn.
    this.version = sight.state === null ? Number.NaN : version
    if (bases === this.bases) this.chain = chain
  }

  /** Every object at a target has its own instant, in order, even when the clock is set back. */
  private nextInstant(hold: Hold): number {
    hold.latestAt = Math.max(this.parts.clock.now(), hold.latestAt + 1)
    return hold.latestAt
  }

  /** @returns the base's instant */
  private beginBase(hold: Hold): number {
    const at = this.nextInstant(hold)
    this.parts.report.writes(at)
    this.bases++
    this.chain = null
    return at
  }

  /** The hold may have been taken anew since the base was begun. */
  private useBase(begun: Hold, base: WrittenBase): void {
    const { hold } = this
    if (hold?.owner.history !== begun.owner.history) return
    if (hold.base === null) hold.from = base.to
    hold.base = base
  }
}

/** The largest share of a chain's time for comparing the state: a box with millions of state rows compares less often. */
const stateShareMax = 0.05
/** Even so, what raises no revision, such as notes and states of deliveries, is never later than this and one comparison. */
const stateDelayMsMax = 60_000

/** Consecutive increments: each has the changes of the state since the previous one. */
class Chain {
  private readonly id = newShortId()
  private number = 0
  private memory: StateMemory | null = null
  /** As of the last look at the state. */
  private processed = 0
  private revision = 0
  private nextStateAtMs = 0

  constructor(
    private readonly parts: RunnerParts,
    private readonly history: string,
    private readonly sealer: Sealer,
  ) {}

  /**
   * Puts the next increment if there is something to put. When it fails, nobody knows whether it is there: the chain must not
   * be continued.
   *
   * @param at later than the previous increment
   * @param from the position where the previous increment ended
   * @returns the state of the box that the increment has
   */
  async extend(at: number, from: number): Promise<Sight> {
    const { source, target, program } = this.parts
    const { history } = this
    const sight = this.look()
    const { to, state } = sight
    if (to === from && (state?.lines.isEmpty ?? true)) return sight
    if (state !== null) this.processed = sight.processed
    const { processed } = this
    const header = (): GivenHeader => ({ kind: 'increment', processed, program, schema: source.schema })
    const hasErasures = source.hasErasures(from, to)
    const name = incrementName({ at, history, chain: this.id, number: this.number, from, to, hasErasures })
    await writeBundle(target, this.sealer, { name, header, chunks: this.linesOf(from, sight) })
    await noteLatest(target, name)
    this.number++
    this.memory = state?.memory ?? this.memory
    return sight
  }

  /** Always compares what accounts publish, because records refer to it. */
  private look(): Sight {
    const { source, clock } = this.parts
    const beganAtMs = clock.monotonicMs()
    if (this.memory !== null && beganAtMs < this.nextStateAtMs) {
      const sight = source.look('skip')
      if (sight.revision === this.revision) return sight
    }
    const sight = source.look(this.memory)
    const endedAtMs = clock.monotonicMs()
    this.revision = sight.revision
    this.nextStateAtMs = endedAtMs + Math.min(stateDelayMsMax, (endedAtMs - beganAtMs) / stateShareMax)
    return sight
  }

  private *linesOf(from: number, { to, state }: Sight): Generator<Uint8Array> {
    if (state !== null) yield* state.lines.read()
    yield* ledgerLines(this.parts.source.entries(from, to))
  }
}
