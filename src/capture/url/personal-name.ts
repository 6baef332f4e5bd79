import { decodedText } from './decoded-text.ts'
import data from './personal-names.json'

const personal: ReadonlySet<string> = new Set(data.groups.flatMap((group) => group.names))
const thingsWithNames: ReadonlySet<string> = new Set(data.thingsWithNames.words)

/** How far back from a `=` a name is read within a longer text. */
const nameCharsMax = 64

/**
 * Whether a parameter's name says that its value is personal (docs/events.md): one of its words is listed (words end
 * at whatever is no letter, and where camel case turns), or two neighbours are when written together (`e-mail`, `api_key`).
 */
export function isPersonalName(name: string): boolean {
  const text = decodedText(name)
  return text === null || isPersonalText(text)
}

/** Whether a decoded text holds a pair with a personal name, as a nested URL, matrix parameters or JSON do. */
export function holdsPersonalPair(text: string): boolean {
  for (let i = text.indexOf('='); i !== -1; i = text.indexOf('=', i + 1)) {
    if (isPersonalText(nameBefore(text, i))) return true
  }
  for (let i = text.indexOf('":'); i !== -1; i = text.indexOf('":', i + 1)) {
    if (isPersonalText(nameBefore(text, i))) return true
  }
  return false
}

function nameBefore(text: string, end: number): string {
  const near = text.slice(Math.max(0, end - nameCharsMax), end).trimEnd()
  let start = near.length
  while (start > 0 && isNameCharacter(near.charCodeAt(start - 1))) start--
  return near.slice(start)
}

const isNameCharacter = (code: number): boolean =>
  isLetter(code) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x5f ||
  code === 0x2d ||
  code === 0x2e ||
  code === 0x5b ||
  code === 0x5d

function isPersonalText(text: string): boolean {
  let before = ''
  for (let start = 0; start < text.length; ) {
    if (!isLetter(text.charCodeAt(start))) {
      start++
      continue
    }
    const end = wordEnd(text, start)
    const word = text.slice(start, end).toLowerCase()
    if (word === 'name' ? !thingsWithNames.has(before) : personal.has(word)) return true
    if (before !== '' && personal.has(before + word)) return true
    before = word
    start = end
  }
  return false
}

/** Where the word that begins at `start` ends: `userEmail`, `EMailAddress`, `URLToken`. */
function wordEnd(text: string, start: number): number {
  for (let end = start + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (!isLetter(code)) return end
    if (!isUpper(code)) continue
    const followed = end + 1 < text.length && isLower(text.charCodeAt(end + 1))
    if (!isUpper(text.charCodeAt(end - 1)) || followed) return end
  }
  return text.length
}

const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a
const isLetter = (code: number): boolean => isLower(code) || isUpper(code) || code >= 0x80
