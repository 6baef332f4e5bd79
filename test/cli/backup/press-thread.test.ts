import { expect, test } from 'bun:test'
import { PressThread } from '../../../src/cli/threads/backup-threads.ts'

const part = () => new TextEncoder().encode('a part of a base')

test('a part whose thread ends without a word fails, and so do those that wait behind it', async () => {
  const press = new PressThread(new URL('./ending-press.ts', import.meta.url))
  const outcomes = await Promise.allSettled([press.compress(part()), press.compress(part())])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('parts that wait when the work is ended fail', async () => {
  const press = new PressThread()
  const waiting = press.compress(part())
  press.close()
  await expect(waiting).rejects.toThrow('has ended')
})
