// docs/configuration.md, `view_per_ip` and `click_per_ip`: over the budget everything is answered as always, nothing is
// recorded, and it is counted.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { BoxKeys } from '../harness/box-keys.ts'
import { eventually } from '../harness/eventually.ts'
import { clicksOf, settledPageViews } from '../harness/page-views.ts'
import { headersOf, visit } from '../harness/visits.ts'

const views = 3
const clicks = 2

let box: Box
let keys: BoxKeys

beforeAll(async () => {
  const files = { 'pages/launch.html': '<title>Launch</title>', 'pages/mark.html': '<title>Mark</title>' }
  const sites = [aSite({ files }), aSite({ account: 'beta', files })]
  const limits = { view_per_ip: views, click_per_ip: clicks, window_seconds: 86_400 }
  box = await Box.start(sites, { limits, server: { trusted_proxies: ['127.0.0.1/32'] } })
  keys = await BoxKeys.of(box)
}, boxStartMsMax)

afterAll(() => box.stop())

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })

/** How often an account's counts name the check of the endpoint. */
async function countOf(account: string, endpoint: string, check: string): Promise<number> {
  const { stdout } = await box.run(['refusals', account, '--json'])
  const { refusals } = JSON.parse(stdout) as { refusals: { endpoint: string; check: string; count: number }[] }
  return refusals.find((refusal) => refusal.endpoint === endpoint && refusal.check === check)?.count ?? 0
}

async function opened(path: string, ip: string, account = 'acme') {
  const answer = await box.send(visit(path, { account, ...from(ip) }))
  return { status: answer.status, text: answer.text, cookie: answer.headers.get('set-cookie') !== null }
}

test('a page over the budget of its address is served as always, not recorded, and counted', async () => {
  const launch = { status: 200, text: '<title>Launch</title>', cookie: true }
  for (let i = 0; i < views + 2; i++) expect(await opened('/launch?who=flood', '198.18.0.1')).toEqual(launch)
  await opened('/launch?who=other', '198.18.0.2')
  const recorded = (await settledPageViews(box, '/mark')).map(({ properties }) => String(properties.url))
  expect(recorded.filter((url) => url.includes('who=flood'))).toHaveLength(views)
  expect(recorded.filter((url) => url.includes('who=other'))).toHaveLength(1)
  await eventually('the two are counted', async () => (await countOf('acme', 'page', 'budget')) === 2)
})

test('what one account has used up costs another nothing', async () => {
  for (let i = 0; i < views + 1; i++) await opened('/launch', '198.18.0.3')
  await opened('/launch?who=neighbour', '198.18.0.3', 'beta')
  const recorded = (await settledPageViews(box, '/mark', 'beta')).map(({ properties }) => String(properties.url))
  expect(recorded.filter((url) => url.includes('who=neighbour'))).toHaveLength(1)
})

test('a prefetch and a HEAD, which record nothing, take nothing from the budget', async () => {
  for (let i = 0; i < views + 1; i++) {
    await box.send(visit('/launch', { headers: { 'x-forwarded-for': '198.18.0.4', 'sec-purpose': 'prefetch' } }))
    await box.send(visit('/launch', { method: 'HEAD', ...from('198.18.0.4') }))
  }
  await opened('/launch?who=patient', '198.18.0.4')
  const recorded = (await settledPageViews(box, '/mark')).map(({ properties }) => String(properties.url))
  expect(recorded.filter((url) => url.includes('who=patient'))).toHaveLength(1)
})

test('a click over the budget of its address is redirected as always, not recorded, and counted', async () => {
  const path = keys.clickPath('http://go.acme.test/launch', { message: 'news-7' })
  for (let i = 0; i < clicks + 3; i++) {
    const answer = await box.send(visit(path, from('198.18.0.5')))
    expect([answer.status, headersOf(answer, 'location')]).toEqual([302, { location: 'http://go.acme.test/launch' }])
    expect(answer.headers.get('set-cookie')).not.toBeNull()
  }
  expect(await clicksOf(box, 'news-7')).toHaveLength(clicks)
  await eventually('the three are counted', async () => (await countOf('acme', 'click', 'budget')) === 3)
})

test('a report names them among the refused, not among the views that the disk lost', async () => {
  for (let i = 0; i < views + 1; i++) await opened('/launch', '198.18.0.6', 'beta')
  await eventually('it is counted', async () => (await countOf('beta', 'page', 'budget')) > 0)
  const { stdout } = await box.run(['report', 'beta', '--json'])
  const { totals } = JSON.parse(stdout) as { totals: { refused: number; lostPageViews: number } }
  expect([totals.refused > 0, totals.lostPageViews]).toEqual([true, 0])
})
