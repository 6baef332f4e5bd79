import type { Box } from '../box.ts'

/** Says that the clock is right as it is. `doubted`: whether retention had not believed it; `now`: epoch milliseconds. */
export async function trustClock({ retention }: Pick<Box, 'retention'>): Promise<{ now: number; doubted: boolean }> {
  const { now, isBelieved } = retention.clock()
  if (!isBelieved) await retention.trustClock()
  return { now, doubted: !isBelieved }
}
