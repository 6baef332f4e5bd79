import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite, trackingKeyOf } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

/** The smallest site, whose key is to be minted. */
const withoutKey = 'account = "acme"\nname = "Acme"\ndomains = ["go.acme.test"]\n'

function siteOf(folder: ADataFolder, toml: string): string {
  const dir = folder.path('site')
  mkdirSync(dir, { recursive: true })
  writeFileSync(`${dir}/site.toml`, toml)
  return dir
}

describe('apply --dry-run of a new account', () => {
  test('prints no key that nothing would ever match, and the real run prints one', async () => {
    using folder = new ADataFolder()
    const dir = siteOf(folder, withoutKey)
    expect(await folder.json(['apply', dir, '--dry-run'])).not.toHaveProperty('trackingKey')
    expect(await folder.json(['apply', dir])).toMatchObject({
      trackingKey: expect.stringMatching(/^svc_tk_[A-Za-z0-9]{32}$/),
    })
  })

  test('prints the forms and changes of the real run', async () => {
    using folder = new ADataFolder()
    const dir = siteOf(folder, `${withoutKey}[[forms]]\nid = "contact1"\nname = "Contact"\n`)
    const { forms, changes } = await folder.json(['apply', dir, '--dry-run'])
    expect(forms).toEqual([{ id: 'contact1', name: 'Contact', registered: true }])
    expect(await folder.json(['apply', dir])).toMatchObject({ forms, changes })
  })
})

describe('apply', () => {
  test('names file, line, key and holder of a domain that is another account’s, or the preview host’s', async () => {
    using folder = await ADataFolder.with()
    const toml = 'account = "umbra"\nname = "Umbra"\n\ndomains = ["go.acme.test", "preview.localhost"]\n'
    const { status, stderr } = await folder.run(['apply', siteOf(folder, toml)])
    expect(status).toBe(1)
    expect(stderr).toContain('site.toml:4 domains: go.acme.test belongs to the account "acme"')
    expect(stderr).toContain('site.toml:4 domains: preview.localhost is the platform preview host')
  })

  test('names an origin that lets anybody post, and accepts one below a name of its own', async () => {
    using folder = await ADataFolder.with()
    const origins = ['https://*.co.uk', 'https://*.github.io:8443', 'https://*.acme.co.uk', 'https://acme.github.io']
    const toml = `account = "acme"\nname = "Acme"\ndomains = ["go.acme.test"]\norigins = ${JSON.stringify(origins)}\n`
    const { status, stderr } = await folder.run(['apply', siteOf(folder, toml), '--dry-run'])
    expect(status).toBe(1)
    expect(stderr.match(/site\.toml:4 origins: "\S+" lets anybody post here: \S+/g)).toEqual([
      'site.toml:4 origins: "https://*.co.uk" lets anybody post here: co.uk',
      'site.toml:4 origins: "https://*.github.io:8443" lets anybody post here: github.io',
    ])
  })

  test('brings back a form that was pruned, as a later version', async () => {
    using folder = await ADataFolder.with()
    await folder.apply(aSite({ forms: [] }), '--prune')
    await folder.apply(aSite())
    const { forms } = await folder.json(['account', 'show', 'acme'])
    expect(forms).toEqual([{ id: 'contact1', name: 'Form contact1', version: 2, registered: true }])
  })

  test('puts the folder’s key in force again after it was rotated with an overlap, as `key rotate` says', async () => {
    using folder = await ADataFolder.with()
    await folder.done(['key', 'rotate', 'acme', '--overlap', '7d'])
    await folder.apply(aSite())
    const { trackingKeys } = await folder.json(['account', 'show', 'acme'])
    expect(trackingKeys).toEqual([{ validUntil: null }])
    const url = await folder.done(['preview', 'acme', 'test', '--key', trackingKeyOf('acme')])
    expect(url.stdout).toContain(`#key=${trackingKeyOf('acme')}`)
    expect((await folder.apply(aSite())).stdout).toContain('nothing to change')
  })
})

describe('apply of a folder whose content the data folder has lost', () => {
  const launch = `<h1>Launch</h1>${'<p>Everything at once.</p>'.repeat(200)}`
  const site = aSite({ files: { 'pages/launch.html': launch, 'pages/other.html': 'other', 'files/a.txt': 'a' } })
  const storedAs = (folder: ADataFolder, content: string, suffix: string) => {
    const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex')
    return join(folder.dataDir, 'assets', hash.slice(0, 2), hash + suffix)
  }
  const versions = (folder: ADataFolder) => folder.json(['page', 'history', 'acme', 'launch'])

  test.each(['', '.br', '.gz'])(
    'stores it again (%s), says so, and changes nothing the second time',
    async (suffix) => {
      using folder = await ADataFolder.with(site)
      const before = await versions(folder)
      const file = storedAs(folder, launch, suffix)
      const bytes = readFileSync(file)
      rmSync(file)
      const { stdout } = await folder.apply(site)
      expect(stdout).toContain(
        'published.\n  ~ page launch (its content was lost from the data folder: stored again)\n',
      )
      expect(readFileSync(file)).toEqual(bytes)
      expect((await folder.apply(site)).stdout).toBe('acme: nothing to change.\n')
      expect(await versions(folder)).toEqual(before)
    },
  )

  test('stores what was lost beside what has changed', async () => {
    using folder = await ADataFolder.with(site)
    rmSync(join(folder.dataDir, 'assets'), { recursive: true })
    const changed = { ...site, files: { ...site.files, 'pages/other.html': 'changed' } }
    await folder.apply(changed)
    expect(readFileSync(storedAs(folder, 'changed', ''), 'utf8')).toBe('changed')
    expect(readFileSync(storedAs(folder, 'a', ''), 'utf8')).toBe('a')
    expect(readFileSync(storedAs(folder, launch, ''), 'utf8')).toBe(launch)
  })

  test('with --dry-run says so and stores nothing', async () => {
    using folder = await ADataFolder.with(site)
    const file = storedAs(folder, 'a', '')
    rmSync(file)
    const dir = join(folder.dir, 'sites', 'acme')
    expect(await folder.json(['apply', dir, '--dry-run'])).toMatchObject({
      changes: [{ action: 'update', kind: 'file', name: 'a.txt' }],
    })
    expect(existsSync(file)).toBe(false)
  })

  test('is what doctor asks for, and is then content', async () => {
    using folder = await ADataFolder.with(site)
    rmSync(storedAs(folder, 'a', ''))
    const { status, stdout } = await folder.run(['doctor'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringMatching(/contents.*\n.*capture apply DIR/) })
    await folder.apply(site)
    expect((await folder.run(['doctor'])).status).toBe(0)
  })
})
