import type { Clock } from '../lib/clock.ts'
import { newShortId } from '../lib/id.ts'
import { type GivenHeader, writeBundle } from './format/bundle.ts'
import { ledgerLines } from './format/increment-lines.ts'
import { incrementName } from './format/object-names.ts'
import { openSealer, type Sealer } from './format/sealing.ts'
import { noteLatest } from './owner.ts'
import type { BackupSource, Sight, StateMemory } from './source.ts'
import type { BackupTarget } from './target/backup-target.ts'

interface ChainParts {
  target: BackupTarget
  source: Pick<BackupSource, 'look' | 'entries' | 'hasErasures' | 'schema'>
  history: string
  /** The program's version. */
  program: string
  clock: Pick<Clock, 'monotonicMs'>
}

/** The largest share of a chain's time for comparing the state: a box with millions of state rows compares less often. */
const stateShareMax = 0.05
/** Even so, what raises no revision, such as notes and states of deliveries, is never later than this and one comparison. */
const stateDelayMsMax = 60_000

/** The content of an increment. */
interface IncrementWanted {
  /** Epoch milliseconds, later than the previous increment. */
  at: number
  /** The position where the previous increment ended. */
  from: number
}

/** Consecutive increments: each has the changes of the state since the previous one. */
export class Chain {
  private readonly id = newShortId()
  private number = 0
  private memory: StateMemory | null = null
  /** As of the last look at the state. */
  private processed = 0
  private revision = 0
  private nextStateAtMs = 0

  private constructor(
    private readonly parts: ChainParts,
    private readonly sealer: Sealer,
  ) {}

  static async begin(parts: ChainParts, recipients: readonly string[]): Promise<Chain> {
    return new Chain(parts, await openSealer(recipients))
  }

  /**
   * Puts the next increment if there is something to put. When it fails, nobody knows whether it is there: the chain must not
   * be continued.
   *
   * @returns the state of the box that the increment has
   */
  async extend({ at, from }: IncrementWanted): Promise<Sight> {
    const { source, target, history, program } = this.parts
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
