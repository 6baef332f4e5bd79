import { expect, test } from 'bun:test'
import { NoAnswerYet, persistently, StillUnderWay } from '../../src/cli/apply/remote/remote-box.ts'

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
    { progress: () => steps[tries - 1] ?? 0, onPause: (ms) => pauses.push(ms), onUnderWay: () => {}, firstPauseMs: 1 },
  ).catch((error: Error) => error.message)
  return { outcome, tries, pauses }
}

test('pauses grow while nothing gets on, and begin again once something does', async () => {
  expect(await brokenAt([0, 0, 1, 1])).toEqual({ outcome: 'done', tries: 5, pauses: [1, 2, 1, 2] })
})

test('five tries without progress are enough', async () => {
  expect(await brokenAt([0, 0, 0, 0, 0, 0])).toMatchObject({ outcome: 'broke', tries: 5 })
})

/** A box that says so many times that it is still at the first call. */
async function busyFor(answers: number) {
  const heard: string[] = []
  let tries = 0
  const outcome = await persistently(
    async () => {
      tries++
      if (tries > answers) return 'done'
      throw new StillUnderWay('still at it')
    },
    {
      progress: () => 0,
      onPause: () => heard.push('broke'),
      onUnderWay: () => heard.push('under way'),
      askAgainMs: 0,
    },
  ).catch((error: Error) => error.message)
  return { outcome, heard }
}

test('a box that is still at the first call is asked until it has ended, and that is said once', async () => {
  expect(await busyFor(700)).toEqual({ outcome: 'done', heard: ['under way'] })
})

test('a box that never ends the first call is given up after an hour of questions', async () => {
  const questionsMax = 720
  const { outcome, heard } = await busyFor(Number.POSITIVE_INFINITY)
  expect([outcome, heard[0]]).toEqual(['still at it', 'under way'])
  expect((await busyFor(questionsMax)).outcome).toBe('done')
})

test('what is no break is not tried again', async () => {
  let tries = 0
  const refused = () => {
    tries++
    return Promise.reject(new Error('refused'))
  }
  const outcome = persistently(refused, { progress: () => 0, onPause: () => {}, onUnderWay: () => {} })
  await expect(outcome).rejects.toThrow('refused')
  expect(tries).toBe(1)
})
