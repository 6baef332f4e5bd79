const knownMsMax = 3_000

/**
 * Moves to the same page on the preview host if this browser can reach it. Returns whether it is leaving.
 *
 * The demo prints an address that works everywhere; browsers also know names that end in `.localhost`, where the page
 * has an origin of its own (docs/decisions/0013).
 */
export async function movesToThirdParty(url: string | null): Promise<boolean> {
  if (url === null) return false
  try {
    await fetch(url, { method: 'HEAD', mode: 'no-cors', signal: AbortSignal.timeout(knownMsMax) })
  } catch {
    return false
  }
  location.replace(url + location.hash)
  return true
}
