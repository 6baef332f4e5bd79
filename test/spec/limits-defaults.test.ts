// Spec, "Limits": the budgets of a box whose capture.toml says nothing of them, and their refill.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'

/** Sent at once. */
const burst = 45
const refillMs = 2000

let box: Box
let quick: Box

beforeAll(async () => {
  box = await Box.start([aSite()], { limits: 'defaults' })
  quick = await Box.start([aSite()], { limits: { form_per_ip: 1, event_per_ip: 1, window_seconds: 1 } })
}, boxStartMsMax)

afterAll(async () => {
  await box.stop()
  await quick.stop()
})

describe.each([
  ['form capture', formRequest],
  ['event capture', eventRequest],
] as const)('%s', (_name, request) => {
  test('takes 30 requests of one address in 60 seconds, refilled one every two seconds', async () => {
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: burst }, () => box.send(request())))
    const refilledMax = Math.ceil((performance.now() - startedAt) / refillMs)
    const refused = answers.filter(({ status }) => status === 429)
    expect(burst - refused.length).toBeWithin(30, 30 + refilledMax + 1)
    for (const { headers } of refused) expect(['1', '2']).toContain(headers.get('retry-after') ?? '')
  })

  test('takes the next request once Retry-After has passed', async () => {
    let refused = await quick.send(request())
    await eventually('one of two comes too soon', async () => {
      refused = await quick.send(request())
      return refused.status === 429
    })
    await Bun.sleep(Number(refused.headers.get('retry-after')) * 1000)
    expect((await quick.send(request())).status).toBeLessThan(300)
  })
})
