/** Characters that JSON allows unescaped although they control terminals, break lines or change the text direction. */
const unshowable = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu

/**
 * JSON text that is safe to show on a terminal and means the same: captured text comes from strangers, and `\u009b`
 * written out in a JSON string is the character itself.
 */
export const showableJson = (json: string): string =>
  json.replace(unshowable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The value on one line. Numbers in `JSON.rawJSON` keep their digits. */
export const jsonText = (value: unknown): string => showableJson(JSON.stringify(value))
