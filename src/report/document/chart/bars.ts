/** One bar of a drawing, in its units. */
export interface BarShape {
  index: number
  x: number
  y: number
  width: number
  height: number
}

interface Drawing {
  /** What the whole height stands for. */
  top: number
  /** What a bar and the space beside it take. */
  slot: number
  /** Of the bar alone. */
  width: number
  height: number
}

/** A bar for each value that is not 0, from the bottom up, in the middle of its slot. */
export const barShapes = (values: readonly number[], { top, slot, width, height }: Drawing): BarShape[] =>
  values.flatMap((value, index) => {
    if (value === 0) return []
    const high = (value / top) * height
    return [
      { index, x: rounded(index * slot + (slot - width) / 2), y: rounded(height - high), width, height: rounded(high) },
    ]
  })

export const rounded = (number: number): number => Number(number.toFixed(2))
