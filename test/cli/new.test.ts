import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { ADataFolder } from './a-data-folder.ts'

const written = ['assets/site.css', 'pages/launch.html', 'pages/thank-you.html', 'site.toml']

describe('a first site folder', () => {
  test('has a page with its form and its key, and is published without a warning', async () => {
    using folder = new ADataFolder()
    const { formId, ...made } = await folder.json(['new', 'acme', '--domain', 'go.acme.test'])
    expect(made).toEqual({
      dir: folder.path('acme'),
      account: 'acme',
      domain: 'go.acme.test',
      files: written,
    })
    const page = readFileSync(folder.path('acme/pages/launch.html'), 'utf8')
    expect(page).toContain(`data-svc-form="${formId}"`)
    const applied = JSON.parse((await folder.done(['apply', 'acme', '--strict', '--json'])).stdout)
    expect(applied).toMatchObject({
      account: 'acme',
      domains: ['go.acme.test'],
      forms: [{ id: formId }],
      warnings: [],
      skipped: [],
    })
    const [, key = ''] = /data-site-key="(\w+)"/.exec(page) ?? []
    const preview = await folder.done(['preview', 'acme', 'test', '--key', key])
    expect(preview.stdout).toContain(`#key=${key}`)
  })

  test('leaves no word of the example that stands for one of its own', async () => {
    using folder = new ADataFolder()
    await folder.done(['new', 'site', '--account', 'bold-bikes', '--domain', 'contact1.bold.test'])
    const texts = written.map((file) => readFileSync(folder.path(`site/${file}`), 'utf8')).join('')
    for (const word of ['"contact1"', 'FirstSite', 'Acme Studio', 'account = "acme"', 'go.acme'])
      expect(texts).not.toContain(word)
    expect(texts).toContain('domains = ["contact1.bold.test"]')
    expect(texts).toContain('account = "bold-bikes"')
    expect(texts).toContain('<title>Bold Bikes</title>')
  })

  test('takes its handle from the name of the folder, and says what to replace', async () => {
    using folder = new ADataFolder()
    const { stdout, stderr } = await folder.done(['new', 'sites/Über Uns!'])
    expect(stdout).toBe(written.map((file) => `sites/Über Uns!/${file}\n`).join(''))
    expect(stderr).toContain('go.uber-uns.example stands for your own domain: replace it in site.toml.')
    expect(readFileSync(folder.path('sites/Über Uns!/site.toml'), 'utf8')).toContain('account = "uber-uns"')
  })

  test('has another form id and key each time', async () => {
    using folder = new ADataFolder()
    const tomls = await Promise.all(
      ['one', 'two'].map(async (dir) => {
        await folder.done(['new', dir, '--account', 'acme'])
        return readFileSync(folder.path(`${dir}/site.toml`), 'utf8').split('\n')
      }),
    )
    const [one = [], two = []] = tomls
    expect(one.filter((line, at) => line !== two[at]).map((line) => line.split(' ')[0])).toEqual(['key', 'id', 'form'])
  })

  test('may be written to an empty folder, and never to another', async () => {
    using folder = new ADataFolder()
    mkdirSync(folder.path('empty'))
    await folder.done(['new', 'empty'])
    mkdirSync(folder.path('full'))
    writeFileSync(folder.path('full/.keep'), '')
    writeFileSync(folder.path('file'), 'mine')
    for (const dir of ['empty', 'full', 'file']) {
      const { status, stderr } = await folder.run(['new', dir])
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('nothing was written') })
    }
    expect(readdirSync(folder.path('full'))).toEqual(['.keep'])
    expect(readFileSync(folder.path('file'), 'utf8')).toBe('mine')
  })

  test.each([
    [['--domain', 'https://go.acme.test']],
    [['--domain', 'a b']],
    [['--account', 'Acme']],
    [['--account', '-']],
  ])('is not written with %j', async (options) => {
    using folder = new ADataFolder()
    expect((await folder.run(['new', 'site', ...options])).status).toBe(2)
    expect(existsSync(folder.path('site'))).toBe(false)
  })
})
