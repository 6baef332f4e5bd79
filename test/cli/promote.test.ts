import { describe, expect, test } from 'bun:test'
import { type ASite, aSite } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

const files = { 'pages/launch.html': 'old', 'pages/launch-b.html': 'new', 'pages/other.html': 'other' }
const splitOf = (page: string) => ({ page, variants: [{ name: 'b', page: 'launch-b', share: 50 }] })
const split = aSite({ files, splits: [splitOf('launch'), splitOf('other')] })
/** As the command advises. */
const followed = aSite({ files: { ...files, 'pages/launch.html': 'new' }, splits: [splitOf('other')] })
const promote = ['page', 'promote', 'acme', 'launch', 'b']
const hashOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

async function promoted(): Promise<ADataFolder> {
  const folder = await ADataFolder.with(split)
  await folder.done(promote)
  return folder
}

async function changesOf(folder: ADataFolder, site: ASite): Promise<string[]> {
  const { stdout } = await folder.apply(site, '--dry-run', '--json')
  const { changes } = JSON.parse(stdout) as { changes: { kind: string; name: string }[] }
  return changes.map(({ kind, name }) => `${kind} ${name}`)
}

describe('page promote', () => {
  test('gives the page the content of the variant, by hand', async () => {
    using folder = await ADataFolder.with(split)
    expect(await folder.json(promote)).toMatchObject({
      slug: 'launch',
      variant: 'b',
      from: 'launch-b',
      version: 2,
      sha256: hashOf('new'),
      siteTomlToRemove: '[[splits]]\npage = "launch"\nvariants = [{ name = "b", page = "launch-b", share = 50 }]\n',
    })
    const { pages } = (await folder.json(['page', 'list', 'acme'])) as { pages: object[] }
    expect(pages).toContainEqual(expect.objectContaining({ slug: 'launch', state: 'live', publishedBy: 'hand' }))
  })

  test('ends the split and no other', async () => {
    using folder = await promoted()
    const { splits } = (await folder.json(['report', 'acme'])) as { splits: { page: string }[] }
    expect(splits.map(({ page }) => page)).toEqual(['other'])
  })

  test('says which lines to remove and which file to copy', async () => {
    using folder = await ADataFolder.with(split)
    const { stdout, stderr } = await folder.done(promote)
    expect(stdout).toContain('launch shows variant b (launch-b) to everybody, as version 2: http')
    expect(stderr).toContain('[[splits]]\npage = "launch"')
    expect(stderr).toContain('cp pages/launch-b.html pages/launch.html')
  })

  test('agrees with a folder in which that was done', async () => {
    using folder = await promoted()
    expect(await changesOf(folder, followed)).toEqual([])
  })

  test('is named by the plan of a folder that undoes it', async () => {
    using folder = await promoted()
    expect(await changesOf(folder, split)).toEqual(['settings acme', 'page launch'])
    const { stderr } = await folder.apply(split, '--dry-run')
    expect(stderr).toMatch(/harm: changed_here settings acme: changed on .* by /)
    expect(stderr).toMatch(/harm: changed_here page launch: changed on .* by /)
  })

  test('refuses a variant that visitors cannot see', async () => {
    using folder = await ADataFolder.with(split)
    await folder.done(['page', 'unpublish', 'acme', 'launch-b'])
    const { status, stderr } = await folder.run(promote)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('page publish acme launch-b') })
  })

  test.each([
    [['launch', 'c'], 'launch has no variant "c". It has: b.'],
    [['launch', 'a'], '"a" is the page itself. To end the split, remove its [[splits]] from site.toml and apply.'],
    [['launch-b', 'b'], 'launch-b is not split.'],
    [['lunch', 'b'], 'Did you mean "launch"?'],
  ])('of %j says why not', async (words, message) => {
    using folder = await ADataFolder.with(split)
    const { status, stderr } = await folder.run(['page', 'promote', 'acme', ...words])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) })
  })
})
