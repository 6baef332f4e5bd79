/**
 * Characters that steer a terminal or mislead its reader instead of being shown: control characters of both sets,
 * line and paragraph separators, and those that turn the direction of the text around them (Unicode 17, Bidi_Control).
 */
const steering = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu
const steeringButLines = /(?!\n)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu

/**
 * The text with every character that could steer a terminal written out as `\u001b`, since captured data comes from
 * strangers. `lines` leaves line feeds as they are.
 */
export const printable = (text: string, keep: 'nothing' | 'lines' = 'nothing'): string =>
  text.replace(keep === 'lines' ? steeringButLines : steering, escaped)

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
