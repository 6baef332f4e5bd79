import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CommandBox, openBox } from '../../src/cli/open.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { applyFolder } from '../../src/operations/apply/apply-folder.ts'
import { readSiteFolder } from '../../src/site/folder.ts'
import { fakeWorld } from '../cli/fake-world.ts'
import { runCapture } from '../cli/run-capture.ts'
import { codeBlocks, pages, root } from './markdown.ts'

// Whoever copies an example has a folder without faults and warnings.

const base = mkdtempSync(join(tmpdir(), 'capture-examples-'))
let box: CommandBox

beforeAll(async () => {
  const mail = '[mail]\nhost = "127.0.0.1"\nfrom = "box@agency.example"\n'
  writeFileSync(join(base, 'capture.toml'), `data_dir = "./data"\n${mail}`)
  const loaded = loadConfig({ env: {}, cwd: base })
  const session = { ...fakeWorld({ cwd: base }), clock: systemClock, loadConfig: async () => loaded }
  box = await openBox(loaded.config, session)
})
afterAll(async () => {
  await box.close()
  rmSync(base, { recursive: true })
})

/** What a dry run finds wrong with a folder of these files. @throws SiteFaults */
async function doubtsAbout(files: Files) {
  const dir = mkdtempSync(join(base, 'site-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return doubtsAboutFolder(dir)
}

async function doubtsAboutFolder(dir: string) {
  const folder = await readSiteFolder(dir, { ACME_TURNSTILE_SECRET: 'secret' })
  // Whether an example's address is known out there is no matter of the example.
  const judgeUrl = async () => ({ outcome: 'allowed' as const })
  const wanted = { dryRun: true, prune: true, accept: new Set<never>(), strict: true, origin: 'elsewhere' as const }
  const rights = { connects: 'any', mayDecideOnData: true, by: { via: 'command', name: 'test' } } as const
  const watch = { onPublished() {}, onProgress() {} }
  const planned = await applyFolder({ ...box, judgeUrl }, { folder, dir, ...wanted, ...rights }, watch)
  expect(planned.changes.length).toBeGreaterThan(0)
  return [...planned.warnings, ...planned.harm, ...planned.skipped]
}

type Files = Record<string, string | Uint8Array>

const picture = readFileSync(join(root, 'examples/demo/img/newsletter.png'))

/** An example, with what it names and does not show. */
function completed(toml: string): Files {
  const site = Bun.TOML.parse(toml) as Site
  const named = (site.pages ?? []).map(({ slug, file }) => ({ slug, file: file ?? `pages/${slug}.html` }))
  const slugs = [...new Set([...pathsIn(site).map((path) => path.slice(1)), ...slugsIn(site)])]
  const others = slugs.filter((slug) => !named.some((page) => page.slug === slug)).map((slug) => `pages/${slug}.html`)
  return {
    ...Object.fromEntries(
      [...named.map(({ file }) => file), ...others].map((file) => [file, '<!doctype html><p>x</p>']),
    ),
    ...Object.fromEntries((site.images ?? []).map(({ path }) => [`img/${path}`, picture])),
    ...Object.fromEntries((site.files ?? []).map(({ path }) => [`files/${path}`, 'x'])),
    ...Object.fromEntries((site.assets ?? []).map(({ path }) => [`assets/${path}`, 'x'])),
    'site.toml': toml,
  }
}

interface Site {
  home?: string
  splits?: { page: string; variants: { page: string }[] }[]
  redirects?: { to: string }[]
  pages?: { slug: string; file?: string }[]
  images?: { path: string }[]
  files?: { path: string }[]
  assets?: { path: string }[]
  goals?: { page?: string }[]
  funnels?: { steps: { page?: string }[] }[]
}

const slugsIn = ({ home, splits = [] }: Site): string[] => [
  ...(home === undefined ? [] : [home]),
  ...splits.flatMap(({ page, variants }) => [page, ...variants.map((variant) => variant.page)]),
]

const pathsIn = ({ goals = [], funnels = [], redirects = [] }: Site): string[] => [
  ...[...goals, ...funnels.flatMap(({ steps }) => steps)].flatMap(({ page }) => page ?? []),
  ...redirects.flatMap(({ to }) => (/^\/[^/*]+$/.test(to) ? to : [])),
]

const smallest = 'account = "acme"\nname = "Acme Studio"\ndomains = ["go.acme.example"]\n'

/** A page with the HTML, in a folder with the forms and assets that it names. */
function pageWith(html: string): Files {
  const forms = [...html.matchAll(/data-svc-form="(\w+)"/g)].map(([, id]) => `[[forms]]\nid = "${id}"\n`)
  const assets = [...html.matchAll(/"\.\.\/(assets\/[\w/.]+)"/g)].map(([, path = '']) => [path, 'x'])
  return {
    'pages/example.html': html,
    'site.toml': smallest + forms.join(''),
    ...Object.fromEntries(assets),
  }
}

const examples = pages().flatMap((page) =>
  codeBlocks(page).flatMap(({ info, text }, index): [string, Files][] => {
    const name = `${page.path}, block ${index + 1}`
    if (info === 'toml site.toml') return [[name, completed(text)]]
    if (info === 'toml part of site.toml') return [[name, completed(`${smallest}${text}`)]]
    return info === 'html' ? [[name, pageWith(text)]] : []
  }),
)

describe('neither faults nor warnings has', () => {
  test.each(examples)('%s', async (_, files) => {
    expect(await doubtsAbout(files)).toEqual([])
  })

  test("the demo's folder", async () => {
    const dir = join(base, 'demo')
    cpSync(join(root, 'examples/demo'), dir, { recursive: true })
    expect(await doubtsAboutFolder(dir)).toEqual([])
  })

  test("README's first site", async () => {
    const { text = '' } = pages().find(({ path }) => path === 'README.md') ?? {}
    const [, words = ''] = /^capture (new .*)$/m.exec(text) ?? []
    const { stdout } = await runCapture(words.split(' '), { cwd: base })
    expect(await doubtsAboutFolder(join(base, 'acme'))).toEqual([])
    const [, named = ''] = /^```\nacme\/\n([^`]*)^```$/m.exec(text) ?? []
    const files = [...named.matchAll(/^ {2}(\S+)/gm)].map(([, file]) => `acme/${file}`)
    expect(files.sort()).toEqual(stdout.trim().split('\n'))
  })
})
