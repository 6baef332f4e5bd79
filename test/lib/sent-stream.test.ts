import { expect, test } from 'bun:test'
import { sentStream } from '../../src/lib/sent-stream.ts'

async function* twoThenFault(): AsyncGenerator<string> {
  yield 'one '
  yield 'two'
  throw new Error('the disk')
}

test('a stream that cannot be read on breaks off, and the reason goes to whoever logs it', async () => {
  const failures: unknown[] = []
  const reader = sentStream(twoThenFault(), { onFailure: (error) => failures.push(error) }).getReader()
  let text = ''
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      text += new TextDecoder().decode(next.value)
    return 'whole'
  }
  // The reader learns that it broke off, not why.
  expect(await read().catch((reason) => ['broken', reason])).toEqual(['broken', undefined])
  expect([text, failures]).toEqual(['one two', [new Error('the disk')]])
})
