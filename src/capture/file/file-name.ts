import { endingsOf, type FileType } from '../../account/file-type.ts'
import { trimmedOf } from '../../lib/trimmed.ts'

/** With an ending and what a browser adds to a name that is there already, 255: what file systems take. */
const stemBytesMax = 200
/** Of a name as sent; what is longer is cut before anything looks at it. */
const sentCharactersMax = 1000

/** Names of devices, which Windows takes for a file whatever its ending is. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i

/**
 * A name under which a file can be shown and saved anywhere: without folders, control and direction characters, and what a system or
 * shell reads as something else. Its ending is one of the type, which the bytes have told. No file is ever stored under it.
 */
export function harmlessName(sent: string, type: FileType): string {
  const name = sent
    .slice(0, sentCharactersMax)
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    // Control, direction and zero-width characters, private ones and those that no Unicode version has.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*%$`;&\s]+/g, ' ')
    .trim()
  const dot = name.lastIndexOf('.')
  const sentEnding = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  const ending = endingsOf(type).find((known) => known === sentEnding)
  const stem = trimmedOf('. -', shortened(ending === undefined ? name : name.slice(0, dot)))
  const plain = stem === '' ? 'file' : stem
  return `${deviceName.test(plain) ? '_' : ''}${plain}.${ending ?? type}`
}

/** Without half a character at its end. */
const shortened = (text: string): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, stemBytesMax), { stream: true })
