/** One bar of a drawing, in its units. */
export interface BarShape {
  index: number
  x: number
  y: number
  width: number
  height: number
}

interface Drawing {
  /** The value of the full height. */
  top: number
  /** Width of a bar with the space beside it. */
  slot: number
  /** Width of the bar itself. */
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
