import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeExample } from '../../src/client/examples.ts'

const original = join(import.meta.dir, '../../examples/demo')
let written: string

beforeAll(async () => {
  written = join(await mkdtemp(join(tmpdir(), 'capture-demo-')), 'site')
  await writeExample('demo', written)
})
afterAll(() => rm(join(written, '..'), { recursive: true }))

describe('the demo site', () => {
  test('is written with every file of examples/demo and no other', async () => {
    expect(await filesIn(written)).toEqual(await filesIn(original))
  })

  test('is written byte for byte', async () => {
    const files = await filesIn(original)
    expect(files).toContain('site.toml')
    for (const file of files) {
      expect(await Bun.file(join(written, file)).bytes(), file).toEqual(await Bun.file(join(original, file)).bytes())
    }
  })

  test('can be written over an earlier one', async () => {
    await Bun.write(join(written, 'site.toml'), 'old')
    await writeExample('demo', written)
    expect(await Bun.file(join(written, 'site.toml')).text()).toBe(await Bun.file(join(original, 'site.toml')).text())
  })

  test('its landing page names the form and the tracking key of its site.toml', async () => {
    const site = Bun.TOML.parse(await Bun.file(join(written, 'site.toml')).text()) as DemoSite
    const page = await Bun.file(join(written, `pages/${site.home}.html`)).text()
    expect(site.account).toBe('demo')
    expect(page).toContain(`data-svc-form="${site.forms[0]?.id}"`)
    expect(page).toContain(`data-site-key="${site.tracking.key}"`)
  })

  test('its pages and stylesheets ask no other machine for anything', async () => {
    for (const file of (await filesIn(written)).filter(isText)) {
      expect(await Bun.file(join(written, file)).text(), file).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)|["'(]\/\//)
    }
  })

  test('its pages and stylesheets point only at what is there', async () => {
    const files = await filesIn(written)
    for (const file of files.filter(isText)) {
      const page = await Bun.file(join(written, file)).text()
      for (const path of pathsIn(page)) expect(files, `${file} points at ${path}`).toContain(fileOf(path))
    }
  })
})

interface DemoSite {
  account: string
  home: string
  tracking: { key: string }
  forms: { id: string }[]
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return paths.map((path) => path.slice(folder.length + 1)).sort()
}

const isText = (name: string): boolean => /^pages\/|\.css$/.test(name)

const pathsIn = (page: string): string[] =>
  [...page.matchAll(/(?:(?:href|src)="|url\()((?:\.\.)?\/[^")]+)/g)]
    .map((match) => match[1] ?? '')
    .filter((path) => path !== '/_svc/v1.js')

/** Where a path of the site lies in its folder (docs/site-folder.md). */
function fileOf(path: string): string {
  if (path.startsWith('../')) return path.replace('../', '')
  if (path.startsWith('/_svc/img/')) return path.replace('/_svc/img/', 'img/')
  if (path.startsWith('/_svc/file/')) return path.replace('/_svc/file/', 'files/')
  return `pages${path}.html`
}
