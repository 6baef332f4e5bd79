const pollMs = 50

/** Checks again and again until there is something; `null` when the time is up. */
export async function eventually<T>(ms: number, look: () => T | null | undefined): Promise<T | null> {
  const endMs = performance.now() + ms
  for (;;) {
    const seen = look() ?? null
    if (seen !== null || performance.now() > endMs) return seen
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
