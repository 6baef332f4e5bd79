/** Of the time that asking took: a command that is asked again and again would keep the machine from what is waited for. */
const pauseFactor = 4
/** Of the time waited so far: what takes long need not be seen at once. */
const pausePart = 1 / 16
const pauseMs = { min: 20, max: 500 }
/** The limit of every wait, for what never happens. How fast a promise is kept is for the bench: a busy machine keeps each a bit later. */
export const waitMsMax = 200_000

/** Asks again until the condition holds. @throws when it does not in time */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const begunAt = performance.now()
  for (;;) {
    const askedAt = performance.now()
    if (await holds()) return
    const waitedMs = askedAt - begunAt
    if (waitedMs > waitMsMax) throw new Error(`within ${waitMsMax} ms it did not happen: ${what}`)
    const wishedMs = Math.max(pauseMs.min, pausePart * waitedMs, pauseFactor * (performance.now() - askedAt))
    await Bun.sleep(Math.min(wishedMs, pauseMs.max))
  }
}
