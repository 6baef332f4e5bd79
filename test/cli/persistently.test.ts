import { expect, test } from 'bun:test'
import { persistently } from '../../src/cli/apply/remote/persistently.ts'
import { NoAnswerYet } from '../../src/cli/apply/remote/remote-box.ts'

/** Work that breaks after each of these steps of progress. */
async function brokenAt(steps: number[]) {
  const pauses: number[] = []
  let tries = 0
  const outcome = await persistently(
    async () => {
      tries++
      if (tries > steps.length) return 'done'
      throw new NoAnswerYet('broke')
    },
    { progress: () => steps[tries - 1] ?? 0, onPause: (ms) => pauses.push(ms), firstPauseMs: 1 },
  ).catch((error: Error) => error.message)
  return { outcome, tries, pauses }
}

test('pauses grow while nothing gets on, and begin again once something does', async () => {
  expect(await brokenAt([0, 0, 1, 1])).toEqual({ outcome: 'done', tries: 5, pauses: [1, 2, 1, 2] })
})

test('five tries without progress are enough', async () => {
  expect(await brokenAt([0, 0, 0, 0, 0, 0])).toMatchObject({ outcome: 'broke', tries: 5 })
})

test('what is no break is not tried again', async () => {
  let tries = 0
  const refused = () => {
    tries++
    return Promise.reject(new Error('refused'))
  }
  const outcome = persistently(refused, { progress: () => 0, onPause: () => {} })
  await expect(outcome).rejects.toThrow('refused')
  expect(tries).toBe(1)
})
