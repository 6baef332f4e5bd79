import { html, type Markup } from '../../lib/html.ts'

// Ways to answer a visitor: one touch on a phone.

/** The address without anything that could add headers to the mail (RFC 6068, section 2). */
export const mailHref = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`

/** Without the `(0)` that is not dialled behind a country's code (RFC 3966 section 5.1.1 knows no such digits). */
export const telHref = (phone: string): string => `tel:${phone.replace(/^(\+.*)\(0\)/, '$1').replace(/[^+\d]/g, '')}`

interface Reached {
  phone: string | null
  mail: string | null
}

/** A button for each; `null`: nobody knows how. */
export function contactWays({ phone, mail }: Reached, words: { call: string; write: string }): Markup | null {
  if (phone === null && mail === null) return null
  return html`${phone && html`<a class="button" href="${telHref(phone)}">${words.call}</a>`}${mail && html`<a class="button" href="${mailHref(mail)}">${words.write}</a>`}`
}
