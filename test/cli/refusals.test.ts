import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventRequest, formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { ADataFolder } from './a-data-folder.ts'

describe('refusals', () => {
  let box: Box
  beforeAll(async () => {
    box = await Box.start([aSite(), aSite({ account: 'umbra' })])
    await box.send(formRequest({ headers: { origin: 'https://new.acme.test' } }))
    await box.send(formRequest({ headers: { origin: 'https://new.acme.test' } }))
    await box.send(
      eventRequest({ headers: { 'x-svc-site-key': null, origin: null, 'x-forwarded-for': '203.0.113.9' } }),
    )
    await eventually('the refusals are written', 5000, async () => (await read()).refusals.length === 2)
  }, boxStartMsMax)
  afterAll(() => box.stop())

  const read = async (...words: string[]) =>
    JSON.parse((await box.run(['refusals', 'acme', '--json', ...words])).stdout) as {
      refusals: { endpoint: string; check: string; origin: string | null; count: number; advice: string }[]
      untrustedProxy: { peer: string; advice: string } | null
    }

  test('are counted by endpoint, check and origin, most first', async () => {
    expect((await read()).refusals).toEqual([
      { endpoint: 'form', check: 'origin', origin: 'https://new.acme.test', count: 2, advice: expect.any(String) },
      { endpoint: 'event', check: 'tracking_key', origin: null, count: 1, advice: expect.any(String) },
    ])
  })

  test('come with what to do, in words', async () => {
    const { stdout } = await box.run(['refusals', 'acme'])
    expect(stdout).toContain('origins = ["https://www.acme.test","https://new.acme.test"]')
    expect(stdout).toMatch(/event +tracking_key +\(none\) +1/)
  })

  test('are those of one account alone', async () => {
    const { stdout } = await box.run(['refusals', 'umbra'])
    expect(stdout).toStartWith('Nothing of umbra was refused since ')
  })

  test('repeat that a proxy is not trusted, with the line to add', async () => {
    const { untrustedProxy } = await read()
    expect(untrustedProxy).toMatchObject({
      peer: '127.0.0.1',
      advice: expect.stringContaining('trusted_proxies = ["127.0.0.1"]'),
    })
    expect((await box.run(['refusals', 'umbra'])).stdout).toContain('trusted_proxies = ["127.0.0.1"]')
  })

  test('from before --since are left out', async () => {
    const future = new Date(Date.now() + 7_200_000).toISOString()
    expect((await read('--since', future)).refusals).toEqual([])
  })

  test('of a time that is none are wrong usage', async () => {
    using folder = new ADataFolder()
    expect((await folder.run(['refusals', 'acme', '--since', 'yesterday'])).status).toBe(2)
  })
})
