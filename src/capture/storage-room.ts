/**
 * Reserves the last free disk for submissions (docs/running.md). Below `min_free_mb` the box stops storing page views;
 * below half of it, events too.
 */
export interface StorageRoom {
  storesPageViews: boolean
  storesEvents: boolean
  /** When a refused caller should try again. */
  retryAfterSeconds: number
}

const retryAfterSeconds = 30
/** Storing resumes a tenth above the limit, so that it does not flap. */
const backFactor = 1.1

/** Free megabytes below which page views, and below which events, are stored no longer. */
export const leastFreeMb = (minFreeMb: number) => ({ pageViews: minFreeMb, events: minFreeMb / 2 })

/** Free megabytes from which storing resumes. */
export const backFreeMb = (leastMb: number): number => leastMb * backFactor

/**
 * @param freeMb free megabytes of the data folder's volume
 * @param before the previous result; absent at the first call
 */
export function storageRoom(freeMb: number, minFreeMb: number, before?: StorageRoom): StorageRoom {
  const least = leastFreeMb(minFreeMb)
  const fits = (leastMb: number, did = true) => freeMb >= (did ? leastMb : backFreeMb(leastMb))
  return {
    storesPageViews: fits(least.pageViews, before?.storesPageViews),
    storesEvents: fits(least.events, before?.storesEvents),
    retryAfterSeconds,
  }
}
