import { decodedText } from './decoded-text.ts'
import { holdsPersonalNumber, looksPersonal } from './personal-text.ts'
import { worthALook } from './worth-a-look.ts'

const removed = '-'
/** Where a number may go on beyond a slash: `/0151/2345678`. */
const endsInNumber = /\d[) ]{0,3}$/
const beginsWithNumber = /^[( ]{0,3}\d/

/** A path in which every segment that looks personal by value became `-` (docs/events.md). */
export function cleanPath(path: string): string {
  if (!isWorthALook(path)) return path
  const segments = path.split('/')
  const cleaned = segments.map((segment) => (isPersonalSegment(segment) ? removed : segment))
  removeSlashedNumbers(cleaned)
  return cleaned.join('/')
}

const isPersonalSegment = (segment: string): boolean => isWorthALook(segment) && looksPersonal(segment)

/** A `=` in a path is a matrix parameter (`/login;token=…`), whose name may be personal. */
const isWorthALook = (part: string): boolean => worthALook(part) || part.includes('=')

/** Replaces neighbouring segments that hold a number only together. */
function removeSlashedNumbers(segments: string[]): void {
  const texts = segments.map((segment) => decodedText(segment) ?? '')
  for (let start = 0; start < texts.length; ) {
    let end = start + 1
    while (end < texts.length && endsInNumber.test(texts[end - 1] ?? '') && beginsWithNumber.test(texts[end] ?? ''))
      end++
    if (end - start > 1 && holdsPersonalNumber(texts.slice(start, end).join('/'))) segments.fill(removed, start, end)
    start = end
  }
}
