import { expect, test } from 'bun:test'
import type { RouteHandler } from '../../src/listener/router.ts'
import { metered } from '../../src/listener/routes/routes.ts'
import { RequestFigures } from '../../src/operator/figures.ts'

/** A route whose clock goes on by 20 ms with each look. */
function aMeteredRoute(route: RouteHandler) {
  const requests = new RequestFigures()
  let nowMs = 0
  const clock = { now: () => 0, monotonicMs: () => (nowMs += 20) }
  const failed = () => new Response('it failed', { status: 500 })
  const request = new Request('http://go.acme.test/launch')
  const answer = async () => metered({ requests, clock, failed })('page', route)({ request, server: null, params: {} })
  const counted = () =>
    requests
      .of('page')
      .counts()
      .filter(({ count }) => count > 0)
  return { answer, counted, durations: () => requests.of('page').durations() }
}

test.each([
  ['at once', () => new Response('page')],
  ['later', async () => new Response('page')],
] as const)('an answer that comes %s is passed on, counted and timed', async (_, route) => {
  const { answer, counted, durations } = aMeteredRoute(route)
  expect(await (await answer()).text()).toBe('page')
  expect(counted()).toEqual([{ code: '200', count: 1 }])
  expect(durations().sum).toBeCloseTo(0.02)
})

test.each([
  [
    'at once',
    () => {
      throw new Error('a bug')
    },
  ],
  ['later', () => Promise.reject(new Error('a bug'))],
] as const)('a route that fails %s is counted by what is answered in its place', async (_, route) => {
  const { answer, counted } = aMeteredRoute(route)
  expect((await answer()).status).toBe(500)
  expect(counted()).toEqual([{ code: '500', count: 1 }])
})
