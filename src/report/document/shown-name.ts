/** Control characters, line separators, and characters that turn the direction of the text around them. */
const misleading = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu

/** A name that may come from a stranger, as one line with one text direction. */
export const shownName = (name: string): string => name.replace(misleading, '\uFFFD')
