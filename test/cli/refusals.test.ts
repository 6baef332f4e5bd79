import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { dateOfDay, localDay } from '../../src/lib/local-day.ts'
import { openConnection } from '../../src/storage/sqlite/database/connection.ts'
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
    await eventually('the refusals are written', async () => (await read()).refusals.length === 2)
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
    using folder = await ADataFolder.with()
    const { raw } = openConnection(join(folder.dataDir, 'capture.db'))
    const hour = Math.floor(Date.now() / 3_600_000)
    for (const [at, count] of [
      [hour - 5, 7],
      [hour, 1],
    ])
      raw.run(`INSERT INTO refusal_count SELECT row, ${at}, 'form', 'origin', '', ${count} FROM account`)
    raw.close()
    expect(await folder.json(['refusals', 'acme'])).toMatchObject({ refusals: [{ count: 8 }] })
    expect(await folder.json(['refusals', 'acme', '--since', '2h'])).toMatchObject({ refusals: [{ count: 1 }] })
  })

  test('of a date are those of the account’s own day, as in a report; none of a day to come', async () => {
    using folder = await ADataFolder.with(aSite({ timezone: 'Pacific/Kiritimati' }))
    const today = dateOfDay(localDay(Date.now(), 'Pacific/Kiritimati'))
    const since = new Date(`${today}T00:00:00+14:00`).toISOString()
    expect(await folder.json(['refusals', 'acme', '--since', today])).toMatchObject({ since })
    await folder.apply(aSite({ timezone: 'Pacific/Pago_Pago' }))
    const hourAhead = new Date(Date.now() + 3_600_000).toISOString()
    for (const typed of [today, hourAhead, '2999-01-01'])
      expect(await folder.run(['refusals', 'acme', '--since', typed])).toMatchObject({
        status: 2,
        stdout: '',
        stderr: '--since is in the future.\n',
      })
  })

  test('of a time that is none are wrong usage', async () => {
    using folder = new ADataFolder()
    expect((await folder.run(['refusals', 'acme', '--since', 'yesterday'])).status).toBe(2)
  })
})
