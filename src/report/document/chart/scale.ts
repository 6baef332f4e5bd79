const steps = [1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10] as const

/** The value of a chart's highest line: a round, even number. */
export function scaleTop(most: number): number {
  let power = 1
  while (power * 10 < most) power *= 10
  return steps.map((step) => Math.round(step * power)).find((top) => top >= most && top % 2 === 0) ?? power * 10
}
