/** A random number from 0 up to 1, not for secrets. Tests replace it. */
export const chance = (): number => Math.random()
