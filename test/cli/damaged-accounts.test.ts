// A disk has damaged what a box knows of its accounts. Their records are not less for it, and an apply brings back the rest.

import { Database } from 'bun:sqlite'
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { DatabasePages } from '../harness/damaged-pages.ts'
import { submission } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

const site = aSite({
  files: { 'pages/launch.html': '<p>Launch</p>', 'pages/launch-b.html': '<p>B</p>', 'pages/gone.html': '<p>Gone</p>' },
  splits: [{ page: 'launch', variants: [{ name: 'b', page: 'launch-b', share: 50 }] }],
  redirects: [{ from: '/old', to: '/launch' }],
  retention: { submissions: '3y' },
})
const { 'pages/gone.html': _gone, ...left } = site.files
const other = aSite({ account: 'birch' })

const folder = new ADataFolder()
afterAll(() => folder[Symbol.dispose]())
const siteDir = folder.path('sites/acme')
const database = join(folder.dataDir, 'capture.db')
await folder.apply(site)
await folder.apply(other)
await folder.apply(aSite({ account: 'former' }))
await folder.done(['account', 'remove', 'former', '--yes'])
// The latest publication of acme has only taken something away.
await folder.apply({ ...site, files: left }, '--prune')
const entries = ['acme', 'birch'].flatMap((account) =>
  ['one', 'two'].map((name) => ({ account, entry: submission({ id: `${account}-${name}`, receivedAt: Date.now() }) })),
)
for (const { account, entry } of entries) {
  const { id } = await folder.json(['account', 'show', account])
  storeEntries(database, [{ ...entry, accountId: String(id) }])
}
await folder.process()
const sound = await folder.json(['account', 'show', 'acme'])
const soundVersions = await versionsIn(folder)
const pages = new DatabasePages(database)
copyFileSync(database, folder.path('sound.db'))

beforeEach(() => copyFileSync(folder.path('sound.db'), database))

const shown = (of: ADataFolder) => of.json(['account', 'show', 'acme'])

/** The version of each page of acme that visitors see. */
async function versionsIn(of: ADataFolder): Promise<[string, number][]> {
  const { pages } = (await of.json(['page', 'list', 'acme'])) as { pages: { slug: string; version: number }[] }
  return pages.map(({ slug, version }) => [slug, version])
}

async function submissionsOf(of: ADataFolder, account: string): Promise<string[]> {
  const { stdout } = await of.done(['export', account, 'submissions'])
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).submissionId]))
}

/** Repairs into the data folder of another box, which is disposed of at the end of the test. */
async function repaired() {
  const box = new ADataFolder()
  const { status, stdout } = await folder.run(['repair', '--to', box.dataDir, '--json'])
  return { status, told: JSON.parse(stdout), box }
}

function changeRows(statement: string): void {
  using rows = new Database(database)
  rows.run(statement)
}

const sentence = /Stop `serve` and run `capture repair`/

describe.each([
  ['the page of the accounts', () => pages.fillWithGarbage(...pages.of('account', 'leaf'))],
  [
    'the texts of their settings',
    () => changeRows(`UPDATE account SET settings = substr(settings, 2) WHERE handle <> id`),
  ],
])('%s', (_, damage) => {
  beforeEach(damage)

  test.each<[argv: string[]]>([[['account', 'list']], [['export', 'acme', 'submissions']], [['apply', siteDir]]])(
    'fails %j with a sentence that names the command',
    async (argv) => {
      const { status, stderr } = await folder.run(argv)
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(sentence) })
    },
  )

  test('takes no record along, and the accounts go on by their kept folders', async () => {
    const { status, told, box } = await repaired()
    using _ = box
    const withoutSettings = ['acme', 'birch'].map((account) => ({ account, fromKeptFolder: true }))
    expect({ status, told }).toMatchObject({ status: 1, told: { entries: 4, missing: [], withoutSettings } })
    for (const account of ['acme', 'birch'])
      expect(await submissionsOf(box, account)).toEqual([`${account}-one`, `${account}-two`])
    const { accounts } = (await box.json(['account', 'list'])) as { accounts: { account: string }[] }
    expect(accounts.map(({ account }) => account)).toEqual(['acme', 'birch'])
    expect((await box.run(['doctor'])).status).toBe(0)
  })

  test('is forgotten once the folder is applied again, and a page that was taken away stays away', async () => {
    const { box } = await repaired()
    using _ = box
    const { changes } = (await box.json(['apply', siteDir])) as { changes: { kind: string; name: string }[] }
    expect(changes.map(({ kind }) => kind)).not.toContain('page')
    expect(await shown(box)).toEqual(sound)
  })
})

test('where the kept folder is gone too, the account tracks nobody, and loses no record by its age', async () => {
  changeRows(`UPDATE account SET settings = substr(settings, 2) WHERE handle = 'acme'`)
  changeRows('DELETE FROM kept_folder')
  const { told, box } = await repaired()
  using _ = box
  expect(told.withoutSettings).toEqual([{ account: 'acme', fromKeptFolder: false }])
  const { settings } = await box.json(['account', 'show', 'acme'])
  expect(settings).toMatchObject({
    domains: ['go.acme.test'],
    tracking: { enabled: false },
    storeIp: 'none',
    retention: { submissionsDays: null, eventsDays: null, refusedDays: 36_525 },
  })
})

test('where the index of the handles is gone too, the kept folder has the handle', async () => {
  pages.fillWithGarbage(...pages.of('account', 'leaf'), ...pages.of('account_handle_unique', 'leaf'))
  const { told, box } = await repaired()
  using _ = box
  expect(told.withoutSettings).toEqual(['acme', 'birch'].map((account) => ({ account, fromKeptFolder: true })))
  expect(await submissionsOf(box, 'acme')).toEqual(['acme-one', 'acme-two'])
})

test('what was staged when a publication was killed is not published by a repair', async () => {
  changeRows(`INSERT INTO asset_version SELECT asset_id, number + 1, account_row, sha256, byte_count, variants, state, live_from,
    live_until, published_at + 60000, published_by, from_revision + 9, NULL, NULL FROM asset_version WHERE to_revision IS NULL`)
  pages.fillWithGarbage(...pages.of('account', 'leaf'))
  const { box } = await repaired()
  using _ = box
  expect(await versionsIn(box)).toEqual(soundVersions)
})

test('a text of a form that is no longer JSON is found by doctor, and comes back with an apply', async () => {
  changeRows(`UPDATE form SET definition = substr(definition, 2)`)
  const { checks } = JSON.parse((await folder.run(['doctor', '--json'])).stdout)
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'database', found: expect.stringContaining('form.definition is no longer JSON') }),
  )
  using box = new ADataFolder()
  const { stdout } = await folder.run(['repair', '--to', box.dataDir])
  expect(stdout).toMatch(
    /Missing of the table form: \d rows?\.\n.*\n?.*Put it.*\nThen apply the folders of the accounts again/s,
  )
  await box.done(['apply', siteDir])
  expect(await shown(box)).toEqual(sound)
})

test('a text that a column can do without is left out, and its row is kept', async () => {
  changeRows(`UPDATE publication SET keys = '{'`)
  const { status, told, box } = await repaired()
  using _ = box
  const rowsIn = (file: string): number => {
    using rows = new Database(file)
    return Number(rows.query('SELECT count(*) FROM publication').values()[0]?.[0])
  }
  expect({ status, missing: told.missing }).toMatchObject({ status: 1, missing: [{ table: 'publication' }] })
  expect(rowsIn(join(box.dataDir, 'capture.db'))).toBe(rowsIn(database))
})
