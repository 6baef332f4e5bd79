/** Waits until `ready` says so. @throws after `secondsMax`, naming what was waited for. */
export async function until(what: string, ready: () => Promise<boolean> | boolean, secondsMax = 10): Promise<void> {
  const deadline = performance.now() + secondsMax * 1000
  while (!(await ready())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${secondsMax} s`)
    await Bun.sleep(1)
  }
}
