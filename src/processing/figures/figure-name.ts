/** Characters kept of what a figure is split by: figures outlive all records, and names are what others made up. */
const nameCharactersMax = 100

/** Sources that leads of one account are counted under on one day, beside our own. */
export const daySourcesMax = 200

/** What leads of further sources are counted under. */
export const otherSources = '(other)'

/** Built-in sources: never subject to the daily limit, and none of the names that it counts. */
export const ownSources: readonly string[] = ['direct', 'unknown', otherSources]

/** A name as figures have it. What is cut in the middle of a character would be no text any more. */
export const figureName = (name: string): string => name.slice(0, nameCharactersMax).toWellFormed()

/** Whether the source is counted under its own name however many others there are on that day. */
export const isOwnSource = (source: string): boolean => ownSources.includes(source)
