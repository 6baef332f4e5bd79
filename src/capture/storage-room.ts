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

/** @param freeMb free megabytes of the data folder's volume */
export function storageRoom(freeMb: number, minFreeMb: number): StorageRoom {
  return { storesPageViews: freeMb >= minFreeMb, storesEvents: freeMb >= minFreeMb / 2, retryAfterSeconds }
}
