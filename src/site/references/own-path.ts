/** Where relative addresses begin. */
export interface AddressBase {
  /** Connected domains; an address on one of them is the account's own. */
  domains: readonly string[]
  /** The path of the file: `/` for a page, `/assets/css/site.css`. */
  from: string
  /** The page's `<base>`, as written; `null`: none. */
  base: string | null
}

/** A reference to a character that the reader does not decode: which address is meant stays unknown. */
const undecodedReference = /&[a-z][a-z0-9]*;/i

/** The path that an address leads to on the account's domains; `null`: it leads elsewhere, to a part of its own page, or is none. */
export function ownPath(address: string, { domains, from, base }: AddressBase): string | null {
  const text = address.trim()
  if (text === '' || text.startsWith('#') || text.startsWith('?') || undecodedReference.test(text)) return null
  const file = `https://${domains[0]}${from}`
  const start = base === null ? file : URL.parse(base, file)?.href
  const url = start === undefined ? null : URL.parse(text, start)
  return url !== null && isOwn(url, domains) ? url.pathname : null
}

/** Whether it is on one of the account's domains. Another port is another server. */
export const isOwn = ({ protocol, hostname, port }: URL, domains: readonly string[]): boolean =>
  (protocol === 'https:' || protocol === 'http:') && port === '' && domains.includes(hostname)
