// Ways to answer a visitor: one touch on a phone.

/** The address without anything that could add headers to the mail (RFC 6068, section 2). */
export const mailHref = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`

/** Without the `(0)` that is not dialled behind a country's code (RFC 3966 section 5.1.1 knows no such digits). */
export const telHref = (phone: string): string => `tel:${phone.replace(/^(\+.*)\(0\)/, '$1').replace(/[^+\d]/g, '')}`
