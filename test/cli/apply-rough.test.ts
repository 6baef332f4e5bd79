// What an operator meets who renames, interrupts, and brings pages of another age.

import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aForm, aSite, writeSite } from '../harness/a-site.ts'
import { bareEnvironment } from '../harness/capture-command.ts'
import { builtExecutable } from '../harness/executable.ts'
import { ADataFolder } from './a-data-folder.ts'

const gibibyte = 1024 ** 3

describe('apply of a folder that holds less than the box', () => {
  const before = aSite({ files: { 'pages/spring.html': 'spring', 'pages/home.html': 'home' }, previews: [] })
  const after = aSite({
    forms: [aForm({ id: 'contact2' })],
    files: { 'pages/summer.html': 'spring', 'pages/home.html': 'home' },
  })

  test('names what is still live, and the option that removes it', async () => {
    using folder = await ADataFolder.with(before)
    const { stderr } = await folder.apply(after)
    expect(stderr).toContain('Still on the box, but no longer in the folder:\n')
    expect(stderr).toContain('  form contact1 (live)\n  page spring (live)\n')
    expect(stderr).toContain(`\`capture apply ${join(folder.dir, 'sites', 'acme')} --prune\` removes them.`)
  })

  test('says so again when there is nothing else to change, and of a dry run', async () => {
    using folder = await ADataFolder.with(before)
    const { stderr: dry } = await folder.apply(after, '--dry-run')
    expect(dry).toContain('  page spring (live)\n')
    await folder.apply(after)
    const { stdout, stderr } = await folder.apply(after)
    expect(stdout).toBe('acme: nothing to change.\n')
    expect(stderr).toContain('  page spring (live)\n')
  })

  test('says nothing of it once --prune has removed it', async () => {
    using folder = await ADataFolder.with(before)
    expect((await folder.apply(after, '--prune')).stderr).toBe('')
    expect((await folder.apply(after)).stderr).toBe('')
  })

  test('has it in --json as what is left', async () => {
    using folder = await ADataFolder.with(before)
    const { left } = JSON.parse((await folder.apply(after, '--json')).stdout)
    expect(left).toContainEqual({ kind: 'page', name: 'spring', state: 'live' })
  })
})

describe('apply of a page that is not UTF-8', () => {
  const latin1 = Buffer.from('<!doctype html>\n<p>Gr\xFC\xDFe</p>\n', 'latin1')

  test('is refused with file and line, and nothing is changed', async () => {
    using folder = await ADataFolder.with(aSite({ files: { 'pages/a.html': 'a' } }))
    const dir = join(folder.dir, 'other')
    writeSite(
      dir,
      aSite({ files: { 'pages/a.html': 'changed', 'pages/old.html': latin1, 'pages/older.html': latin1 } }),
    )
    const { status, stdout, stderr } = await folder.run(['apply', dir])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('nothing was changed; 2 faults')
    expect(stderr).toContain('pages/old.html:2: is not UTF-8')
    expect(stderr).toContain('pages/older.html:2: is not UTF-8')
    expect(await folder.json(['page', 'list', 'acme'])).toMatchObject({ pages: [{ slug: 'a' }] })
  })

  test('is named together with the other faults of the folder', async () => {
    using folder = new ADataFolder()
    const dir = join(folder.dir, 'site')
    writeSite(dir, aSite({ files: { 'pages/old.html': latin1, 'img/a.tiff': 'x' } }))
    const { stderr } = await folder.run(['apply', dir])
    expect(stderr).toContain('nothing was changed; 2 faults')
    expect(stderr).toContain('\n  img/a.tiff: cannot be served')
    expect(stderr).toContain('\n  pages/old.html:2: is not UTF-8')
  })

  test('is refused in UTF-16 too', async () => {
    using folder = new ADataFolder()
    const dir = join(folder.dir, 'site')
    writeSite(dir, aSite({ files: { 'pages/a.html': Buffer.from('<p>Hello</p>', 'utf16le') } }))
    const { status, stderr } = await folder.run(['apply', dir, '--dry-run'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('pages/a.html:1: is not UTF-8') })
  })

  test('is no matter of images and files', async () => {
    using folder = new ADataFolder()
    await folder.apply(aSite({ files: { 'files/old.html': latin1, 'img/a.png': latin1 } }))
  })
})

describe('apply whose tidying up fails', () => {
  test('has published, says what is left to remove, and ends with 0', async () => {
    using folder = await ADataFolder.with(aSite({ files: { 'pages/a.html': 'a' } }))
    // A folder under the name of stored bytes: it cannot be removed as a file.
    const stray = join(folder.dataDir, 'assets', 'ab', `ab${'0'.repeat(62)}`)
    mkdirSync(stray, { recursive: true })
    const { status, stdout, stderr } = await folder.apply(aSite({ files: { 'pages/b.html': 'b' } }))
    expect(status).toBe(0)
    expect(stdout).toStartWith('acme: 1 change (1 new); published.\n  + page b\n\n')
    expect(stderr).toContain('could not be removed from the data folder')
    rmSync(stray, { recursive: true })
    expect((await folder.apply(aSite({ files: { 'pages/c.html': 'c' } }))).stderr).not.toContain('could not be removed')
  })
})

test('apply warns of an image that is none, and publishes it', async () => {
  using folder = new ADataFolder()
  const { status, stderr } = await folder.apply(aSite({ files: { 'img/a.png': '<script>alert(1)</script>' } }))
  expect(status).toBe(0)
  expect(stderr).toContain('warning: img/a.png: is not a PNG image')
})

describe('apply that is interrupted', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s says that nothing has changed, and nothing has', async (signal, status) => {
    using folder = new ADataFolder()
    const dir = join(folder.dir, 'site')
    writeSite(dir, aSite({ files: { 'pages/a.html': 'a', 'pages/.met': '' } }))
    // Without a byte on the disk, and seconds to read.
    mkdirSync(join(dir, 'files'))
    for (const name of ['a', 'b', 'c', 'd']) {
      writeFileSync(join(dir, 'files', name), '')
      truncateSync(join(dir, 'files', name), gibibyte)
    }
    const child = Bun.spawn([await builtExecutable(), 'apply', dir], {
      cwd: folder.dir,
      env: bareEnvironment(),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    let stderr = ''
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
      // The folder's names have been read; its files are next.
      if (!stderr.includes('skipped')) child.kill(signal)
      stderr += chunk
    }
    expect({ status: await child.exited, stdout: await child.stdout.text() }).toEqual({ status, stdout: '' })
    expect(stderr).toBe(
      'skipped: pages/.met\nInterrupted: nothing has changed. Visitors see what they saw before; run apply again to publish.\n',
    )
    rmSync(join(dir, 'files'), { recursive: true })
    if (existsSync(folder.dataDir)) expect((await folder.json(['account', 'list'])).accounts).toEqual([])
    expect((await folder.done(['apply', dir])).stdout).toContain('+ account acme')
  })
})

describe('apply whose result nobody takes', () => {
  test('says that the folder is published, and how to get the key that was to be shown once', async () => {
    using folder = new ADataFolder()
    const dir = join(folder.dir, 'site')
    writeSite(dir, aSite())
    writeFileSync(join(dir, 'site.toml'), 'account = "acme"\nname = "Acme"\ndomains = ["go.acme.test"]\n')
    const child = Bun.spawn([await builtExecutable(), 'apply', dir], {
      cwd: folder.dir,
      env: bareEnvironment(),
      stdout: Bun.file('/dev/full'),
      stderr: 'pipe',
    })
    const stderr = await child.stderr.text()
    expect(await child.exited).toBe(1)
    expect(stderr).toContain('The result is not shown: the folder is published, and visitors see it.')
    expect(stderr).toContain('`capture key rotate acme` makes another')
    expect((await folder.json(['account', 'list'])).accounts).toMatchObject([{ account: 'acme' }])
  })
})

describe('apply of what is no site folder', () => {
  test.each([
    ['', 2, 'DIR is empty'],
    ['nowhere', 1, 'There is no folder'],
    ['capture.toml', 1, 'is not a folder. Name a folder that contains a site.toml'],
    ['site/site.toml', 1, 'is not a folder. Name the folder it lies in'],
    ['site/pages', 1, 'site.toml: is missing'],
  ])('%j says what it is and what to name', async (dir, status, said) => {
    using folder = new ADataFolder()
    writeSite(join(folder.dir, 'site'), aSite({ files: { 'pages/a.html': 'a' } }))
    const ran = await folder.run(['apply', dir])
    expect(ran).toEqual({ status, stdout: '', stderr: expect.stringContaining(said) })
    expect(existsSync(folder.dataDir)).toBe(false)
  })
})
