import { expect, test } from 'bun:test'
import { captured, capturedValue } from '../../src/console/page/values.ts'

test.each([
  ['an override of direction', 'gpj.\u202eexe', 'gpj.exe'],
  ['the end of an isolate', 'a\u2069b', 'ab'],
  ['what a telephone puts around a number', '\u202a+49 170 1\u202c', '+49 170 1'],
  ['NUL and escapes', '\u0000\u001b[2J\u009b', '\ufffd\ufffd[2J\ufffd'],
  ['a line separator', 'a\u2028b', 'a\nb'],
])('%s changes nothing around it', (_, sent, shown) => {
  expect(capturedValue(sent)).toBe(shown)
  expect(captured(sent).text).toBe(`<bdi>${shown}</bdi>`)
})

test.each([
  ['lines and tabs', 'a\r\n\tb'],
  ['marks of Arabic and Hebrew', '\u200fשלום\u200e'],
  ['joiners', '👩\u200d💻'],
])('%s stay', (_, sent) => {
  expect(capturedValue(sent)).toBe(sent)
})

test('an object is text as well', () => {
  expect(captured({ '\u202e': '<b>' }).text).toBe('<bdi>{&quot;&quot;:&quot;&lt;b&gt;&quot;}</bdi>')
})
