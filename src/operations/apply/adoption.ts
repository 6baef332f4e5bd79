import type { Box } from '../box.ts'

/** The service looks for changes every 200 ms; an account of 100,000 pages takes it a second to load. */
const adoptionMsMax = 5000
const lookMs = 10

/** Waits until visitors see what was published. Resolves to a sentence if they do not yet; to none if nobody serves. */
export async function unlessAdopted({
  accounts,
  adoptedRevision,
  clock,
}: Pick<Box, 'accounts' | 'adoptedRevision' | 'clock'>): Promise<string[]> {
  const endMs = clock.monotonicMs() + adoptionMsMax
  for (;;) {
    const seen = adoptedRevision()
    if (seen === null || seen === (await accounts.revision())) return []
    if (clock.monotonicMs() > endMs)
      return [
        `The running service has not taken over what was published after ${adoptionMsMax / 1000} s: see its log, or run \`capture doctor\`.`,
      ]
    await Bun.sleep(lookMs)
  }
}
