// docs/files.md, "Names": what a visitor's system calls a file is shown harmless, and never used as a path.
import { expect, test } from 'bun:test'
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
  ['', 'file.pdf'],
  ['\u200b\ufeff', 'file.pdf'],
  ['\ud800.pdf', '\ufffd.pdf'],
])('%j is shown as %j', (sent, shown) => {
  expect(harmlessName(sent, 'pdf')).toBe(shown)
})

test('a name longer than any file system takes is cut, and keeps its ending', () => {
  const name = harmlessName(`${'ü'.repeat(5000)}.pdf`, 'pdf')
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  expect(name).toEndWith('ü.pdf')
})

test('an ending that people use for the type stays', () => {
  expect(harmlessName('photo.JPEG', 'jpg')).toBe('photo.jpeg')
})
