/** A random number in the range [0, 1), not for secrets. Tests replace it. */
export const chance = (): number => Math.random()
