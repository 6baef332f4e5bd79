/** What a histogram has counted since its creation. */
export interface HistogramReading {
  /** Upper bounds, inclusive and ascending; a last bucket without a bound takes the rest. */
  bounds: readonly number[]
  /** Observations at most as large as each bound, and last of all: cumulative, as they are exposed. */
  cumulative: number[]
  sum: number
}

/**
 * Counts values by size. Observing allocates nothing.
 *
 * Two threads may share the cells: one observes, the other reads. Each cell is one aligned 64-bit number, which
 * supported processors write at once; a reading may miss an observation in progress.
 */
export class Histogram {
  private readonly cells: Float64Array

  constructor(
    private readonly bounds: readonly number[],
    buffer: ArrayBufferLike = new ArrayBuffer(histogramBytes(bounds)),
    byteOffset = 0,
  ) {
    this.cells = new Float64Array(buffer, byteOffset, cellCount(bounds))
  }

  observe(value: number): void {
    const { bounds, cells } = this
    let bucket = 0
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++
    cells[bucket] = (cells[bucket] as number) + 1
    const sum = cells.length - 1
    cells[sum] = (cells[sum] as number) + value
  }

  read(): HistogramReading {
    const counts = [...this.cells]
    const sum = counts.pop() ?? 0
    let below = 0
    const cumulative = counts.map((count) => {
      below += count
      return below
    })
    return { bounds: this.bounds, cumulative, sum }
  }
}

/** A cell for each bound, one for what is larger, and the sum. */
const cellCount = (bounds: readonly number[]): number => bounds.length + 2

/** Bytes of memory for a histogram with these bounds. */
export const histogramBytes = (bounds: readonly number[]): number => cellCount(bounds) * Float64Array.BYTES_PER_ELEMENT
