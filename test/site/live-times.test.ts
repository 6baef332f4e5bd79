import { describe, expect, test } from 'bun:test'
import { ASiteFolder } from './a-site-folder.ts'

const page = (...lines: string[]): string => `[[pages]]\nslug = "launch"\n${lines.join('\n')}\n`
const folder = (toml: string) => new ASiteFolder(toml, ['pages/launch.html', 'pages/launch-b.html'])

async function timesOf(toml: string): Promise<(string | null)[]> {
  using site = folder(toml)
  const launch = (await site.read()).assets.find(({ name }) => name === 'launch')
  return [launch?.liveFrom, launch?.liveUntil].map((at) => (typeof at === 'number' ? new Date(at).toISOString() : null))
}

async function faultsOf(toml: string): Promise<string[]> {
  using site = folder(toml)
  return await site.faults()
}

describe('the times of a page', () => {
  test('are instants of the account’s time zone', async () => {
    const times = page('live_from = "2026-07-01 08:00"', 'live_until = "2026-12-24 18:00:30"')
    expect(await timesOf(times)).toEqual(['2026-07-01T08:00:00.000Z', '2026-12-24T18:00:30.000Z'])
    const berlin = `timezone = "Europe/Berlin"\n${times}`
    expect(await timesOf(berlin)).toEqual(['2026-07-01T06:00:00.000Z', '2026-12-24T17:00:30.000Z'])
  })

  test('are none by default, and one may stand alone', async () => {
    expect(await timesOf('')).toEqual([null, null])
    expect(await timesOf(page('live_until = "2026-12-24 18:00"'))).toEqual([null, '2026-12-24T18:00:00.000Z'])
  })

  const expected = 'must be a time of the account\'s time zone, in quotes, such as "2026-12-01 08:00"; found'
  test.each([
    [['live_from = "1 December"'], `site.toml:6 pages[0].live_from: ${expected} "1 December"`],
    [['live_from = 2026-12-01 08:00:00'], `pages[0].live_from: ${expected} 2026-12-01 08:00:00 (a date)`],
    [['live_until = "2026-12-01 08:00+01:00"'], `pages[0].live_until: ${expected}`],
    [
      ['live_from = "2026-12-01 08:00"', 'live_until = "2026-12-01 07:59"'],
      'site.toml:7 pages[0].live_until: must be later than live_from',
    ],
    [['live_from = "2026-12-01 08:00"', 'live_until = "2026-12-01 08:00"'], 'must be later than live_from'],
    [['state = "preview"', 'live_from = "2026-12-01 08:00"'], 'site.toml:7 pages[0].live_from: never comes'],
    [['state = "preview"', 'live_until = "2026-12-01 08:00"'], 'site.toml:7 pages[0].live_until: never comes'],
  ])('that are %j are a fault', async (lines, fault) => {
    expect(await faultsOf(page(...lines))).toEqual([expect.stringContaining(fault)])
  })
})

describe('a redirect', () => {
  const timed = page('live_from = "2026-12-01 08:00"')
  const redirect = (from: string, to: string) => `[[redirects]]\nfrom = "${from}"\nto = "${to}"\n`

  test('may take the visitors of a page with times, and lead to one', async () => {
    expect(await faultsOf(timed + redirect('/launch', '/launch-b') + redirect('/soon', '/launch'))).toEqual([])
  })

  test('that leads from such a page to itself while it is not live is a loop', async () => {
    expect(await faultsOf(timed + redirect('/launch', '/soon') + redirect('/soon', '/launch'))).toEqual([
      expect.stringContaining('leads in a loop: /launch → /soon → /launch'),
      expect.stringContaining('leads in a loop: /soon → /launch → /soon'),
    ])
  })
})
