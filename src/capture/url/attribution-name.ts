import data from './click-ids.json'

/** The ad platforms' click ids, lower-case. */
export const clickIdNames: ReadonlySet<string> = new Set(data.platforms.flatMap((platform) => platform.names))

/** Restricts `utm_` names, which callers choose, before they become keys of a record. */
const utmName = /^utm_[a-z0-9_.-]{1,60}$/

export const isUtmName = (name: string): boolean => utmName.test(name)
