const pauseMsMin = 20
/** Of the time that asking took: a command that is asked again and again would keep the machine from what is waited for. */
const pauseFactor = 2
/** The limit of every wait, for what never happens. How fast a promise is kept is for the bench: a busy machine keeps each a bit later. */
export const waitMsMax = 200_000

/** Asks again until the condition holds. @throws when it does not in time */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitMsMax
  for (;;) {
    const askedAt = performance.now()
    if (await holds()) return
    if (askedAt > deadline) throw new Error(`within ${waitMsMax} ms it did not happen: ${what}`)
    await Bun.sleep(Math.max(pauseMsMin, pauseFactor * (performance.now() - askedAt)))
  }
}
