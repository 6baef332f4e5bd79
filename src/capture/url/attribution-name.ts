import data from './click-ids.json'

/** The ad platforms' click ids, lower-case. */
export const clickIdNames: ReadonlySet<string> = new Set(data.platforms.flatMap((platform) => platform.names))

/** A `utm_` name is free, so that it is held to what names are made of before it becomes a key of a record. */
const utmName = /^utm_[a-z0-9_.-]{1,60}$/

export const isUtmName = (name: string): boolean => utmName.test(name)
