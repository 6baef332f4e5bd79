/** Of a report whose account has no brand colour. */
export const usualColour = '#0b57a4'
