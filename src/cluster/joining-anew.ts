import type { Clock } from '../lib/clock.ts'
import { failureNotice } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'

/** How soon joining is tried again, and databases that were replaced are looked through again. */
const againMs = 30_000

/** What a replaced database holds and the cluster lacks. */
export interface Unshared {
  records: number
  /** Lines of the audit log. */
  changes: number
  /** Some of the acts that they name. */
  acts: string[]
}

/** A database that another has replaced, in a folder of its own. */
export interface AstrayDatabase {
  folder: string
  unshared(): Unshared
  remove(): void
}

export interface JoiningAnewParts {
  /**
   * Puts the newest base beside the present database. The next opening of the folder by a service puts it in place.
   *
   * @throws Error with a reason for operators
   */
  stage: () => Promise<void>
  astray: () => AstrayDatabase[]
  /** The folder has to be opened anew. */
  onStaged: () => void
  clock: Clock
  notices: Log
}

/**
 * Brings a node back whose history the chain does not continue: it was killed as the leader with something that it had not
 * linked, or it was away for longer than links are kept. It joins from the newest base, as an empty folder does, while it goes
 * on capturing. The old database stays until the cluster has all that it holds.
 */
export class JoiningAnew {
  private isStaged = false
  private joinsAtMs = Number.NEGATIVE_INFINITY
  private settlesAtMs = Number.NEGATIVE_INFINITY
  private readonly onFailure: (error: unknown) => void
  /** How often each folder was found to hold something. */
  private readonly looks = new Map<string, number>()

  constructor(private readonly parts: JoiningAnewParts) {
    const { notices, clock } = parts
    const message = 'This node could not join its cluster anew. That is tried again.'
    this.onFailure = failureNotice({ message, log: notices, clock })
  }

  /** Call again and again while the chain does not go on from this folder, and another node leads. */
  async join(): Promise<void> {
    const { clock, notices, stage, onStaged } = this.parts
    if (this.isStaged || clock.monotonicMs() < this.joinsAtMs) return
    this.joinsAtMs = clock.monotonicMs() + againMs
    try {
      await stage()
    } catch (error) {
      this.onFailure(error)
      return
    }
    this.isStaged = true
    notices.info('A copy of the leader’s database is here: the data folder is opened anew with it.')
    onStaged()
  }

  /** Call again and again while this node has applied the whole chain. */
  settle(): void {
    const { clock, astray } = this.parts
    if (clock.monotonicMs() < this.settlesAtMs) return
    this.settlesAtMs = clock.monotonicMs() + againMs
    for (const database of astray()) this.settleOne(database)
  }

  private settleOne({ folder, unshared, remove }: AstrayDatabase): void {
    const { notices } = this.parts
    const lacking = this.lookInto(folder, unshared)
    if (lacking === null) return
    const { records, changes, acts } = lacking
    if (records + changes === 0) {
      remove()
      notices.info('This node has joined anew. The cluster has all that its old database held, which is deleted.')
      return
    }
    // At the first look, the leader may be at the records still.
    if (this.lookAgain(folder) === 2)
      notices.warn('This node has joined anew. Its old database holds what the cluster lacks: look, then delete it.', {
        ...{ folder, records, changes, acts: acts.join(', ') },
      })
  }

  /** `null`: it cannot be read. */
  private lookInto(folder: string, unshared: () => Unshared): Unshared | null {
    try {
      return unshared()
    } catch (error) {
      if (this.lookAgain(folder) === 1)
        this.parts.notices.error(
          'This node has joined anew. Its old database cannot be read, so nobody knows whether the cluster has all of it: look, then delete it.',
          { folder, error: error instanceof Error ? error.message : `${error}` },
        )
      return null
    }
  }

  private lookAgain(folder: string): number {
    const looks = (this.looks.get(folder) ?? 0) + 1
    this.looks.set(folder, looks)
    return looks
  }
}
