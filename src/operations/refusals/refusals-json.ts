import type { AccountRefusals } from './read-refusals.ts'

/** As `refusals --json` prints them. */
export const refusalsJson = ({ account, since, refusals, untrustedProxy }: AccountRefusals) => ({
  account,
  since: new Date(since).toISOString(),
  refusals,
  untrustedProxy,
})
