/** The longest text form with a dotted IPv4 part is 45 characters; the rest leaves room for a zone name. */
const addressCharsMax = 64

/** An address as eight 16-bit groups; an IPv4 address stands mapped, as `::ffff:a.b.c.d` (RFC 4291 section 2.5.5.2). */
export type Groups = readonly number[]

/** Where an IPv4 address begins among the 128 bits. */
export const ipv4Offset = 96

/** Reads an IPv4 or IPv6 address (RFC 4291 section 2.2); a zone name is left out. `null`: it is none. */
export function parseGroups(text: string): Groups | null {
  if (text.length > addressCharsMax) return null
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

/** Which version of IP the text is an address of, a zone name left out; `null`: it is none. */
export function ipVersion(text: string): 4 | 6 | null {
  if (parseGroups(text) === null) return null
  return text.includes(':') ? 6 : 4
}

function parseIpv4(text: string): Groups | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (match === null) return null
  const [a, b, c, d] = [octet(match[1]), octet(match[2]), octet(match[3]), octet(match[4])]
  if (a > 255 || b > 255 || c > 255 || d > 255) return null
  return [0, 0, 0, 0, 0, 0xffff, (a << 8) | b, (c << 8) | d]
}

/** A leading zero is refused: some read it as octal. */
const octet = (digits = ''): number => (digits.length > 1 && digits.startsWith('0') ? 256 : Number(digits))

function parseIpv6(text: string): Groups | null {
  const zone = text.indexOf('%')
  const [head = '', tail, ...rest] = (zone === -1 ? text : text.slice(0, zone)).split('::')
  if (rest.length > 0) return null
  const left = groupList(head, tail === undefined)
  const right = groupList(tail ?? '', true)
  if (left === null || right === null) return null
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return [...left, ...new Array<number>(missing).fill(0), ...right]
}

/** The groups of one side of `::`; the last may be a dotted IPv4 address where the address ends. */
function groupList(text: string, endsAddress: boolean): number[] | null {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    const ipv4 = endsAddress && i === parts.length - 1 && part.includes('.') ? parseIpv4(part) : null
    if (ipv4 !== null) groups.push(...ipv4.slice(6))
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return null
  }
  return groups
}

export const isIpv4 = (g: Groups): boolean =>
  g[5] === 0xffff && g[0] === 0 && g[1] === 0 && g[2] === 0 && g[3] === 0 && g[4] === 0

/** The canonical text form (RFC 5952); a mapped IPv4 address as IPv4. */
export function format(groups: Groups): string {
  if (isIpv4(groups)) {
    const high = groups[6] ?? 0
    const low = groups[7] ?? 0
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  const zeros = longestZeroRun(groups)
  if (zeros.length < 2) return groups.map(hex).join(':')
  const left = groups.slice(0, zeros.start).map(hex).join(':')
  return `${left}::${groups
    .slice(zeros.start + zeros.length)
    .map(hex)
    .join(':')}`
}

export const hex = (group = 0): string => group.toString(16)

/** RFC 5952 section 4.2: the longest run is shortened, of equals the first. */
function longestZeroRun(groups: Groups): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let length = 0
  for (const [i, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0
    if (length > best.length) best = { start: i - length + 1, length }
  }
  return best
}
