import { expect, test } from 'bun:test'
import { unlessAborted } from '../../src/lib/in-time.ts'

const running = new AbortController().signal

test('settles like the promise while the signal has not aborted', async () => {
  expect(await unlessAborted(Promise.resolve('answer'), running)).toBe('answer')
  await expect(unlessAborted(Promise.reject(new Error('no answer')), running)).rejects.toThrow('no answer')
})

test('rejects with the reason of a signal that aborts first', async () => {
  const ending = new AbortController()
  const waited = unlessAborted(new Promise(() => {}), ending.signal)
  ending.abort(new Error('too late'))
  await expect(waited).rejects.toThrow('too late')
})

// An unhandled rejection fails the test that it falls into.
test('leaves no rejection unhandled where the signal had aborted before', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const waited = unlessAborted(promise, AbortSignal.abort(new Error('too late')))
  reject(new Error('no answer'))
  await expect(waited).rejects.toThrow('too late')
  await new Promise((resolve) => setImmediate(resolve))
})
