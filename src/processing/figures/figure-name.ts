/** Characters kept of a figure's name. Figures outlive all records, and visitors can make names up. */
const nameCharactersMax = 100

/** Sources that one account's leads are counted under on one day, besides the built-in ones. */
export const daySourcesMax = 200

/** Counts the leads of all further sources. */
export const otherSources = '(other)'

/** Built-in sources: never subject to the daily limit, and not among the names it counts. */
export const ownSources: readonly string[] = ['direct', 'unknown', otherSources]

/** A name as figures have it. Cutting in the middle of a surrogate pair would leave invalid text. */
export const figureName = (name: string): string => name.slice(0, nameCharactersMax).toWellFormed()

/** Whether the source is counted under its own name, however many others there are that day. */
export const isOwnSource = (source: string): boolean => ownSources.includes(source)
