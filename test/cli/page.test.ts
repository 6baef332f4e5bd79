import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { aSite, writeSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventually } from '../harness/eventually.ts'
import { ADataFolder } from './a-data-folder.ts'

const first = aSite({ files: { 'pages/launch.html': 'first', 'pages/spring.html': 'spring' } })
const second = aSite({ files: { 'pages/launch.html': 'second', 'pages/spring.html': 'spring' } })

describe('on a running server', () => {
  let box: Box
  beforeAll(async () => {
    box = await Box.start([first])
  }, boxStartMsMax)
  afterAll(() => box.stop())

  const get = (path: string, host = 'go.acme.test') => box.send({ method: 'GET', host, path, headers: {}, body: null })

  test('page unpublish hides a page and page publish shows it again, within a second', async () => {
    await box.run(['page', 'unpublish', 'acme', 'spring'])
    await eventually('it is hidden', async () => (await get('/spring')).status === 404)
    await box.run(['page', 'publish', 'acme', 'spring'])
    await eventually('it is shown', async () => (await get('/spring')).text === 'spring')
  })

  test('page rollback shows the content from before', async () => {
    await box.apply(second)
    await eventually('the second is shown', async () => (await get('/launch')).text === 'second')
    await box.run(['page', 'rollback', 'acme', 'launch'])
    await eventually('the first is shown', async () => (await get('/launch')).text === 'first')
  })

  test('page unpublish prints an address at which the page can still be looked at', async () => {
    const { stdout } = await box.run(['page', 'unpublish', 'acme', 'launch', '--json'])
    const url = new URL(JSON.parse(stdout).url)
    await eventually('it is in preview', async () => (await get('/launch')).status === 404)
    expect((await get(url.pathname + url.search, url.hostname)).status).toBe(200)
  })
})

describe('page list', () => {
  test('shows state, version and address of every page', async () => {
    using folder = await ADataFolder.with(first)
    await folder.done(['page', 'unpublish', 'acme', 'spring'])
    expect(await folder.json(['page', 'list', 'acme'])).toMatchObject({
      account: 'acme',
      pages: [
        { slug: 'launch', state: 'live', version: 1, publishedBy: 'apply', url: 'http://go.acme.test:8080/launch' },
        {
          slug: 'spring',
          state: 'preview',
          version: 2,
          publishedBy: 'hand',
          url: expect.stringContaining('/_preview/'),
        },
      ],
    })
  })
})

describe('page publish and unpublish', () => {
  test.each([
    ['unpublish', 'preview'],
    ['publish', 'live'],
  ])('page %s prints the lines that make the next apply agree', async (verb, state) => {
    const previews = state === 'live' ? ['pages/launch.html'] : []
    using folder = await ADataFolder.with({ ...first, previews })
    const { stderr } = await folder.done(['page', verb, 'acme', 'launch'])
    const lines = stderr.slice(stderr.indexOf('[[pages]]'))
    expect(lines).toBe(`[[pages]]\nslug = "launch"\nstate = "${state}"\n`)
    writeSite(folder.path('agreed'), first)
    const siteToml = readFileSync(folder.path('agreed/site.toml'), 'utf8').replace('pages = []\n', '')
    writeFileSync(folder.path('agreed/site.toml'), siteToml + lines)
    expect((await folder.done(['apply', 'agreed'])).stdout).toBe('acme: nothing to change.\n')
  })

  test('what is there already is said, and no version is made', async () => {
    using folder = await ADataFolder.with(first)
    const { stdout } = await folder.done(['page', 'publish', 'acme', 'launch'])
    expect(stdout).toStartWith('launch was already live')
    expect((await folder.json(['page', 'history', 'acme', 'launch'])).versions).toHaveLength(1)
  })

  test('the next apply says that the page was moved by hand and puts it back', async () => {
    using folder = await ADataFolder.with(first)
    await folder.done(['page', 'unpublish', 'acme', 'launch'])
    expect((await folder.apply(first)).stdout).toMatch(
      /launch \(made preview by hand on .* UTC, now as in the folder\)/,
    )
  })

  test('a page is found by its short id too', async () => {
    using folder = await ADataFolder.with(first)
    const { pages } = (await folder.json(['page', 'list', 'acme'])) as { pages: { id: string }[] }
    const printed = await folder.json(['page', 'unpublish', 'acme', pages[0]?.id ?? ''])
    expect(printed).toMatchObject({ slug: 'launch', state: 'preview', changed: true })
  })

  test('a misspelt slug is answered with the one that was meant', async () => {
    using folder = await ADataFolder.with(first)
    const { status, stderr } = await folder.run(['page', 'publish', 'acme', 'lanch'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Did you mean "launch"?') })
  })
})

describe('page history', () => {
  test('lists the kept versions, latest first', async () => {
    using folder = await ADataFolder.with(first)
    await folder.apply(second)
    await folder.done(['page', 'rollback', 'acme', 'launch'])
    const { versions } = await folder.json(['page', 'history', 'acme', 'launch'])
    expect(versions).toMatchObject([
      { version: 3, current: true, publishedBy: 'hand', byteCount: 5 },
      { version: 2, current: false, publishedBy: 'apply', byteCount: 6 },
      { version: 1, current: false, publishedBy: 'apply', byteCount: 5 },
    ])
  })
})

describe('page rollback', () => {
  test('goes to the version it is told', async () => {
    using folder = await ADataFolder.with(first)
    await folder.apply(second)
    await folder.apply({ ...second, files: { ...second.files, 'pages/launch.html': 'third' } })
    const hash = new Bun.CryptoHasher('sha256').update('first').digest('hex')
    expect(await folder.json(['page', 'rollback', 'acme', 'launch', '--to', '1'])).toMatchObject({
      state: 'live',
      version: 4,
      rolledBackTo: 1,
      sha256: hash,
    })
  })

  test('leaves a page in preview that is in preview', async () => {
    using folder = await ADataFolder.with(first)
    await folder.apply(second)
    await folder.done(['page', 'unpublish', 'acme', 'launch'])
    expect(await folder.json(['page', 'rollback', 'acme', 'launch'])).toMatchObject({
      state: 'preview',
      rolledBackTo: 1,
    })
  })

  test('is said and undone by the next apply', async () => {
    using folder = await ADataFolder.with(first)
    await folder.apply(second)
    await folder.done(['page', 'rollback', 'acme', 'launch'])
    expect((await folder.apply(second)).stdout).toMatch(
      /launch \(rolled back by hand on .* UTC, now as in the folder\)/,
    )
  })

  test.each([
    [['--to', '9'], 'There is no version 9 of launch. These are stored: 1.'],
    [['--to', '1'], 'shows the content of version 1 already'],
    [[], 'no earlier version of launch with other content'],
  ])('with %j on a page of one version says why not', async (words, message) => {
    using folder = await ADataFolder.with(first)
    const { status, stderr } = await folder.run(['page', 'rollback', 'acme', 'launch', ...words])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) })
  })

  test('refuses what is no number as wrong usage', async () => {
    using folder = new ADataFolder()
    expect((await folder.run(['page', 'rollback', 'acme', 'launch', '--to', 'last'])).status).toBe(2)
  })
})

test('while somebody publishes, a page command says who and changes nothing', async () => {
  using folder = await ADataFolder.with(first)
  const { takeFolderLock, isHeld } = await import('../../src/storage/lock/folder-lock.ts')
  const lock = takeFolderLock(folder.dataDir, 'publish', 'a test')
  try {
    const { status, stderr } = await folder.run(['page', 'unpublish', 'acme', 'launch'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('a test') })
  } finally {
    if (isHeld(lock)) lock.release()
  }
  expect(await folder.json(['page', 'list', 'acme'])).toMatchObject({ pages: [{ state: 'live' }, {}] })
})

describe('a page with times', () => {
  const timezone = 'Europe/Berlin'
  const [past, future] = ['2020-07-01 08:00', '2999-12-24 18:00']
  const withTimes = (times: { live_from?: string; live_until?: string }) =>
    aSite({ timezone, files: { 'pages/launch.html': 'first' }, pages: [{ slug: 'launch', ...times }] })
  const launch = async (folder: ADataFolder) => {
    const { pages } = await folder.json(['page', 'list', 'acme'])
    return (pages as Record<string, unknown>[])[0]
  }

  test.each([
    [{ live_from: past }, 'live', 'http://go.acme.test:8080/launch'],
    [{ live_from: past, live_until: future }, `live until ${future}`, 'http://go.acme.test:8080/launch'],
    [{ live_from: future }, `live from ${future}`, 'capture preview acme page launch'],
    [{ live_until: past }, `ended ${past}`, 'capture preview acme page launch'],
  ])('%j is listed as %s', async (times, showing, address) => {
    using folder = await ADataFolder.with(withTimes(times))
    const { stdout } = await folder.done(['page', 'list', 'acme'])
    expect(stdout.split('\n')[1]?.split(/ {2,}/)).toEqual([
      'launch',
      expect.anything(),
      showing,
      '1',
      expect.anything(),
      address,
    ])
  })

  test.each([
    [{ live_from: past }, 1],
    [{ live_from: future }, 0],
    [{ live_until: past }, 0],
  ])('%j is named by apply among the live addresses %i times', async (times, named) => {
    using folder = await ADataFolder.with(withTimes(times))
    const { stdout } = await folder.apply({ ...withTimes(times), home: 'launch' })
    expect(stdout.split('\n').filter((line) => line === '  http://go.acme.test:8080/launch')).toHaveLength(named)
  })

  test('is listed with its instants as JSON', async () => {
    using folder = await ADataFolder.with(withTimes({ live_from: past }))
    expect(await launch(folder)).toMatchObject({
      state: 'live',
      liveFrom: '2020-07-01T06:00:00.000Z',
      liveUntil: null,
    })
  })

  test('has the times of each version in its history', async () => {
    using folder = await ADataFolder.with(withTimes({ live_from: past }))
    await folder.apply(withTimes({ live_until: future }))
    const { versions } = await folder.json(['page', 'history', 'acme', 'launch'])
    expect(versions).toMatchObject([
      { liveFrom: null, liveUntil: '2999-12-24T17:00:00.000Z' },
      { liveFrom: '2020-07-01T06:00:00.000Z', liveUntil: null },
    ])
    expect((await folder.done(['page', 'history', 'acme', 'launch'])).stdout).toContain(`live until ${future}`)
  })

  test('shows in the plan what becomes of its times', async () => {
    using folder = await ADataFolder.with(withTimes({ live_from: past }))
    const { stdout } = await folder.apply(withTimes({ live_until: future }), '--dry-run', '--json')
    expect(JSON.parse(stdout).changes).toMatchObject([
      {
        kind: 'page',
        name: 'launch',
        fields: [
          { field: 'live_from', before: past, after: null },
          { field: 'live_until', before: null, after: future },
        ],
      },
    ])
    expect((await folder.apply(withTimes({ live_from: past }))).stdout).toBe('acme: nothing to change.\n')
  })

  test('that is new says so in the plan', async () => {
    using folder = new ADataFolder()
    const { stdout } = await folder.apply(withTimes({ live_from: past, live_until: future }), '--dry-run')
    expect(stdout).toContain(`+ page launch (live from ${past} until ${future})`)
  })

  test('moves with the time zone of the account', async () => {
    using folder = await ADataFolder.with(withTimes({ live_from: past }))
    await folder.apply({ ...withTimes({ live_from: past }), timezone: 'UTC' })
    expect(await launch(folder)).toMatchObject({ liveFrom: '2020-07-01T08:00:00.000Z' })
  })

  test('that is published by hand is live at once, until its end', async () => {
    using folder = await ADataFolder.with(withTimes({ live_from: future, live_until: '2999-12-31 00:00' }))
    const { stdout, stderr } = await folder.done(['page', 'publish', 'acme', 'launch'])
    expect(stdout).toStartWith('launch is now live')
    expect(stderr).toContain('slug = "launch"\nstate = "live"\nlive_until = "2999-12-31 00:00"\n')
    expect(stderr).not.toContain('live_from')
    expect(await launch(folder)).toMatchObject({ liveFrom: null, liveUntil: '2999-12-30T23:00:00.000Z' })
  })

  test('that is published by hand after its end has none any more, until the next apply', async () => {
    const over = withTimes({ live_until: past })
    using folder = await ADataFolder.with(over)
    await folder.done(['page', 'publish', 'acme', 'launch'])
    expect(await launch(folder)).toMatchObject({ state: 'live', liveUntil: null })
    await folder.apply(over, '--accept', 'all')
    expect(await launch(folder)).toMatchObject({ liveUntil: '2020-07-01T06:00:00.000Z' })
  })

  test('that is unpublished and published again keeps its end', async () => {
    using folder = await ADataFolder.with(withTimes({ live_from: past, live_until: future }))
    const { stderr } = await folder.done(['page', 'unpublish', 'acme', 'launch'])
    expect(stderr).toEndWith('slug = "launch"\nstate = "preview"\n')
    await folder.done(['page', 'publish', 'acme', 'launch'])
    expect(await launch(folder)).toMatchObject({ state: 'live', liveUntil: '2999-12-24T17:00:00.000Z' })
  })

  test('that is live already is left as it is', async () => {
    using folder = await ADataFolder.with(withTimes({ live_from: past }))
    expect((await folder.done(['page', 'publish', 'acme', 'launch'])).stdout).toStartWith('launch was already live')
  })

  test('that is rolled back keeps the times that it has now', async () => {
    using folder = await ADataFolder.with(withTimes({ live_from: past }))
    await folder.apply({ ...withTimes({ live_until: future }), files: { 'pages/launch.html': 'second' } })
    await folder.done(['page', 'rollback', 'acme', 'launch'])
    expect(await launch(folder)).toMatchObject({ version: 3, liveFrom: null, liveUntil: '2999-12-24T17:00:00.000Z' })
  })
})
