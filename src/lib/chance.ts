/** Where chance comes from that nobody need be unable to guess: a number from 0 up to 1. Tests hold it still. */
export const chance = (): number => Math.random()
