import { expect, test } from 'bun:test'
import { firstLineNotUtf8 } from '../../src/site/page-text.ts'

test.each([
  ['nothing at all', '', null],
  ['ASCII', 'a\nb\n', null],
  ['two, three and four bytes a character', 'é\n€\n😀', null],
  ['a byte order mark', '\uFEFFa', null],
  ['a letter of Windows-1252 in the first line', Buffer.from([0x61, 0xe4, 0x0a, 0x62]), 1],
  ['one in the last line, which has no end', Buffer.from([0x61, 0x0a, 0x0a, 0xe4]), 3],
  ['a character cut off at the end', Buffer.from([0x61, 0x0a, 0xe2, 0x82]), 2],
  ['a character cut by the end of a line', Buffer.from([0xe2, 0x82, 0x0a, 0xac]), 1],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), 1],
  ['a text with one NUL in it', 'a page\0', null],
  ['UTF-16 without a mark', Buffer.from('a\nb', 'utf16le'), 1],
])('the first line that is not UTF-8, of %s', (_what, content, line) => {
  expect(firstLineNotUtf8(Buffer.from(content))).toBe(line)
})
