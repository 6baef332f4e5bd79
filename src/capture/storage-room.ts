/**
 * What there is room for. With less free disk than `min_free_mb` page views are no longer stored, with less than half
 * of it events neither, so that submissions still are (contract section 2).
 */
export interface StorageRoom {
  storesPageViews: boolean
  storesEvents: boolean
  /** When a caller that was turned away should try again. */
  retryAfterSeconds: number
}

const retryAfterSeconds = 30
/** Room for something again is a tenth more than the least, so that a disk on the edge does not flap. */
const backFactor = 1.1

/** Free megabytes below which page views, and below which events, are stored no longer. */
export const leastFreeMb = (minFreeMb: number) => ({ pageViews: minFreeMb, events: minFreeMb / 2 })

/** Free megabytes from which on they are stored again. */
export const backFreeMb = (leastMb: number): number => leastMb * backFactor

/**
 * @param freeMb free megabytes of the data folder's volume
 * @param before what there was room for at the last look; absent: this is the first
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
