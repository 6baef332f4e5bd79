const pollMs = 20

/** Asks again until the condition holds; fails when it does not within the given time. */
export async function eventually(what: string, msMax: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + msMax
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`within ${msMax} ms it did not happen: ${what}`)
    await Bun.sleep(pollMs)
  }
}
