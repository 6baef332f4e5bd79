import type { Box } from '../box.ts'

/** Confirms that the clock is right. `doubted`: whether retention had doubted it; `now`: epoch milliseconds. */
export async function trustClock({ retention }: Pick<Box, 'retention'>): Promise<{ now: number; doubted: boolean }> {
  const { now, isBelieved } = retention.clock()
  if (!isBelieved) await retention.trustClock()
  return { now, doubted: !isBelieved }
}
