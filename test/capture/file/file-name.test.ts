// docs/files.md, "Names": what a visitor's system calls a file is shown harmless, and never used as a path.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { endingsOf, type FileType, fileTypeNames } from '../../../src/account/file-type.ts'
import { harmlessName } from '../../../src/capture/file/file-name.ts'

test.each([
  ['Lebenslauf Größe.pdf', 'Lebenslauf Größe.pdf'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['C:\\Users\\ada\\cv.PDF', 'cv.pdf'],
  ['cv.pdf.exe', 'cv.pdf.exe.pdf'],
  ['cv\u202efdp.exe', 'cvfdp.exe.pdf'],
  ['a\0b\r\nSet-Cookie: x.pdf', 'abSet-Cookie x.pdf'],
  ['.htaccess', 'htaccess.pdf'],
  ['con.pdf', '_con.pdf'],
  ['LPT1', '_LPT1.pdf'],
  ['trailing. . .', 'trailing.pdf'],
  ['<script>"x"|*?.pdf', 'script x.pdf'],
  ['$(reboot)`id`;.pdf', '(reboot) id.pdf'],
  ['-rf.pdf', 'rf.pdf'],
  ['con .pdf', '_con.pdf'],
  ['', 'file.pdf'],
  ['\u200b\ufeff', 'file.pdf'],
  ['\ud800.pdf', '\ufffd.pdf'],
])('%j is shown as %j', (sent, shown) => {
  expect(harmlessName(sent, 'pdf')).toBe(shown)
})

test('a name longer than any file system takes is cut, and keeps its ending', () => {
  const name = harmlessName(`${'ü'.repeat(5000)}.pdf`, 'pdf')
  expect(name).toBe(`${'ü'.repeat(100)}.pdf`)
})

test('an ending that people use for the type stays', () => {
  expect(harmlessName('photo.JPEG', 'jpg')).toBe('photo.jpeg')
})

/** Names of hostile parts, in any order. */
const hostileName = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        '..',
        '/',
        '\\',
        '\0',
        '\u202e',
        '\ud800',
        'CON',
        'lpt1',
        '.',
        ' ',
        '-',
        '👩‍👧',
        '.exe',
        '.pdf',
        '.html',
        '%2f',
        '\r\n',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

test('any name becomes one that every system can store, that no system runs, and that stays as it is', () => {
  fc.assert(
    fc.property(hostileName, fc.constantFrom<FileType>(...fileTypeNames), (sent, type) => {
      const name = harmlessName(sent, type)
      const ending = name.slice(name.lastIndexOf('.') + 1)
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}<>:"|?*%$`;&/\\]/u)
      expect(name).not.toMatch(/^[. -]|^(?:con|prn|aux|nul|com\d|lpt\d) *\./i)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(endingsOf(type)).toContain(ending)
      expect(harmlessName(name, type)).toBe(name)
    }),
    { numRuns: 1000 },
  )
})
