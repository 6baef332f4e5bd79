/** Entries by their sequence numbers, from the first to the last. */
export interface WorkedEntries {
  first: number
  last: number
  /** Up to here, entries are processed one by one; 0: no longer. */
  singlyTo: number
}

/** In memory: the entries' numbers, and behind them, the counter and the thread. */
const numbers = 3
const integersAt = numbers * Float64Array.BYTES_PER_ELEMENT
const [counterAt, threadAt] = [0, 1]

/**
 * Which entries the writing thread is at, in memory that it shares with the serving thread. One number costs
 * nanoseconds, so each entry is marked.
 */
export class WorkMark {
  private readonly entries: Float64Array
  private readonly integers: Int32Array
  /** See `WorkedEntries`. */
  singlyTo = 0

  /** @param memory that of another instance, if there is one */
  constructor(readonly memory = new SharedArrayBuffer(integersAt + 2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.entries = new Float64Array(memory, 0, numbers)
    this.integers = new Int32Array(memory, integersAt)
  }

  /** Whose processor time counts. */
  set thread(id: number) {
    Atomics.store(this.integers, threadAt, id)
  }

  get thread(): number {
    return Atomics.load(this.integers, threadAt)
  }

  begin(first: number, last = first): void {
    this.entries[0] = first
    this.entries[1] = last
    this.entries[2] = this.singlyTo
    Atomics.add(this.integers, counterAt, 1)
  }

  end(): void {
    this.begin(0)
  }

  /** Differs for each `begin`. */
  get counter(): number {
    return Atomics.load(this.integers, counterAt)
  }

  /** `null`: it is at none. */
  get underWay(): WorkedEntries | null {
    const [first = 0, last = 0, singlyTo = 0] = this.entries
    return first === 0 ? null : { first, last, singlyTo }
  }
}
