import { expect, test } from 'bun:test'
import { failedRequest } from '../../src/listener/failed-request.ts'

test('a fault that quotes what was sent is logged by its name and place alone', async () => {
  const lines: string[] = []
  const log = { error: (message: string, fields = {}) => lines.push(JSON.stringify({ message, ...fields })) }
  const answer = failedRequest({ clock: { monotonicMs: () => 0 }, log } as never)
  const text = await answer(new TypeError('unexpected ada@example.test'), new Request('http://x.test/ada')).text()
  expect(lines).toEqual([expect.stringMatching(/"error":"TypeError","at":"at .*failed-request\.test\.ts/)])
  expect(`${lines}${text}`).not.toMatch(/ada@|test\/ada/)
})
