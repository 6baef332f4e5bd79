import names from './character-references.json' with { type: 'json' }

const named: ReadonlyMap<string, string> = new Map(Object.entries(names))

/** `&name;`, `&#38;`, `&#x26;`, and the four names that count without their semicolon, unless a `=` or letter follows. */
const reference =
  /&(?:#x([0-9a-f]{1,6});?|#([0-9]{1,7});?|([a-z][a-z0-9]*);|(amp|lt|gt|quot|AMP|LT|GT|QUOT)(?![=a-z0-9]))/gi

/**
 * An attribute's value as a browser reads it (HTML standard, "Character references"). `null`: it holds a reference
 * outside the table, which has those that stand for what an address is made of; to guess would be to change the link.
 */
export function decodeReferences(value: string): string | null {
  let known = true
  const decoded = value.replace(reference, (whole, hex?: string, digits?: string, name?: string, bare?: string) => {
    const text = numbered(hex, digits) ?? named.get(name ?? bare?.toLowerCase() ?? '')
    if (text === undefined) known = false
    return text ?? whole
  })
  return known ? decoded : null
}

/** Control characters and what the standard maps to others are no part of an address, and count as unknown. */
function numbered(hex: string | undefined, digits: string | undefined): string | undefined {
  if (hex === undefined && digits === undefined) return undefined
  const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
  const isText = code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0x7f) || code >= 0xa0
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return isText && !isSurrogate && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
