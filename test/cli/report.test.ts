import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { FiguresReport } from '../../src/report/figures.ts'
import { aForm, aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { ADataFolder } from './a-data-folder.ts'
import { noFigures } from './no-figures.ts'

describe('report', () => {
  let box: Box
  beforeAll(async () => {
    box = await Box.start([
      aSite({ timezone: 'Europe/Berlin', forms: [aForm({ name: 'Contact us' })] }),
      aSite({ account: 'umbra' }),
      aSite({ account: 'moved', timezone: 'Pacific/Kiritimati' }),
    ])
    await box.send(formRequest({ fields: { email: 'ada@example.test', n: 1 } }))
    await box.send(formRequest({ fields: { email: 'ada@example.test', n: 2 } }))
    await box.send(formRequest({ headers: { origin: 'https://new.acme.test' } }))
    await eventually('the refusal is written', async () => (await read('acme')).totals.refused === 1)
  }, boxStartMsMax)
  afterAll(() => box.stop())

  const read = async (account: string, ...words: string[]): Promise<FiguresReport & { waiting: number }> =>
    JSON.parse((await box.run(['report', account, '--json', ...words])).stdout)

  test('counts what was accepted a moment ago', async () => {
    const before = (await read('acme')).totals.leads
    await box.send(formRequest({ fields: { email: 'grace@example.test' } }))
    expect(await read('acme')).toMatchObject({ totals: { leads: before + 1 }, waiting: 0 })
  })

  test('names the time zone, and forms beside their ids', async () => {
    const { stdout } = await box.run(['report', 'acme'])
    expect(stdout).toMatch(/^The acme studio \(acme\), \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d, days in Europe\/Berlin\n/)
    expect(stdout).toMatch(/Contact us +contact1 +\d+ +0\n/)
  })

  test('says what was refused and why, and apart from the result what to do about it', async () => {
    const { stdout, stderr } = await box.run(['report', 'acme'])
    expect(stdout).toMatch(/ 1 +form +origin +sent from a page that is not allowed to\n/)
    expect(stdout).not.toContain('capture refusals')
    expect(stderr).toContain('capture refusals acme')
  })

  test('leads to the refusals of the very time it is of', async () => {
    const { stderr } = await box.run(['report', 'acme', '--since', '2026-01-15'])
    expect(stderr).toContain('capture refusals acme --since 2026-01-14T23:00:00Z\n')
  })

  test('of another account knows nothing of it, and says what to do next', async () => {
    expect((await read('umbra')).totals).toEqual(noFigures)
    const { status, stdout } = await box.run(['report', 'umbra'])
    expect(status).toBe(0)
    expect(stdout).toContain('Nothing has come in yet')
    expect(stdout).toContain('capture preview umbra test')
  })

  test('begins with any day it knows of, also one that has not begun where the account has moved to', async () => {
    await box.send(formRequest({ account: 'moved' }))
    const { known } = await read('moved')
    await box.apply(aSite({ account: 'moved', timezone: 'Pacific/Pago_Pago' }))
    const last = known?.last ?? ''
    expect(await read('moved', '--since', last)).toMatchObject({ from: last, to: last, totals: { leads: 1 }, known })
    const dayAfter = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10)
    const { status, stderr } = await box.run(['report', 'moved', '--since', dayAfter])
    expect({ status, stderr }).toEqual({ status: 2, stderr: '--since is in the future.\n' })
  })

  test('of a month that has ended has its days alone, and none of today', async () => {
    const lastMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 0)).toISOString()
    const { from, to, totals, days } = await read('acme', '--month', lastMonth.slice(0, 'YYYY-MM'.length))
    expect([from, to]).toEqual([`${lastMonth.slice(0, 'YYYY-MM'.length)}-01`, lastMonth.slice(0, 'YYYY-MM-DD'.length)])
    expect({ totals, days }).toEqual({ totals: noFigures, days: [] })
  })

  test('up to a day to come is that up to now', async () => {
    const open = await read('acme', '--since', '30d')
    expect(await read('acme', '--since', '30d', '--until', '2999-01-01')).toEqual(open)
  })

  test('is plain text where it is no terminal that reads it', async () => {
    expect((await box.run(['report', 'acme'])).stdout).toMatch(/^[\n\x20-\x7e]*$/)
  })

  test('of a time that is none, or is yet to come, is wrong usage', async () => {
    using folder = new ADataFolder()
    expect((await folder.run(['report', 'acme', '--since', 'yesterday'])).status).toBe(2)
    expect((await folder.run(['report', 'acme', '--since', '2999-01-01'])).status).toBe(2)
  })
})
