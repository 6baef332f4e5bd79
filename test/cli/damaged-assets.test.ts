// A disk has changed bytes of something published: it is named with its mend, left out on request, and stored again.
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

const page = `<h1>Spring</h1>${'<p>An offer for everybody.</p>'.repeat(40)}`
const sha256 = createHash('sha256').update(page).digest('hex')
const site = aSite({ files: { 'pages/launch.html': page, 'files/brochure.bin': 'a brochure' } })

/** Changes one byte in the middle of a stored file, and neither its size nor its name. */
function flipByte(folder: ADataFolder, suffix = ''): void {
  const file = join(folder.dataDir, 'assets', sha256.slice(0, 2), sha256 + suffix)
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

async function deepBytes(folder: ADataFolder) {
  const { status, stdout } = await folder.run(['doctor', '--deep', '--json'])
  const { checks } = JSON.parse(stdout) as {
    checks: { check: string; status: string; found: string; advice: string }[]
  }
  return { exit: status, ...checks.find(({ check }) => check === 'bytes') }
}

test.each([
  ['the page itself', '', 'the page launch of acme'],
  ['its brotli form', '.br', 'the page launch of acme, compressed (br)'],
  ['its gzip form', '.gz', 'the page launch of acme, compressed (gzip)'],
])('doctor --deep names %s, and apply of its folder stores it again', async (_what, suffix, name) => {
  using folder = await ADataFolder.with(site)
  expect(await deepBytes(folder)).toMatchObject({ status: 'ok' })
  flipByte(folder, suffix)
  expect(await deepBytes(folder)).toMatchObject({
    exit: 1,
    status: 'fault',
    found: `1 published content is damaged: ${name} (SHA-256 ${sha256}).`,
    advice: expect.stringContaining('capture apply DIR'),
  })
  expect((await folder.apply(site)).stdout).toContain(
    '~ page launch (its content was damaged in the data folder: stored again)',
  )
  expect(await deepBytes(folder)).toMatchObject({ status: 'ok' })
  expect((await folder.apply(site)).stdout).toContain('nothing to change')
})

test('plain doctor does not read what is published, and has no such line', async () => {
  using folder = await ADataFolder.with(site)
  expect((await folder.run(['doctor'])).stdout).not.toContain('bytes:')
})

test('a backup names what is damaged with its mend, and makes none', async () => {
  using folder = await ADataFolder.with(site)
  flipByte(folder)
  const { status, stderr } = await folder.run(['backup', 'box.tar'])
  expect(status).toBe(1)
  expect(stderr).toContain(
    `No backup was made. 1 published content is damaged: the page launch of acme (SHA-256 ${sha256}).`,
  )
  expect(stderr).toContain('capture apply DIR')
  expect(stderr).toContain('--skip-damaged')
  expect(await Bun.file(folder.path('box.tar')).exists()).toBe(false)
})

test('a backup goes on without it on request: exit status, archive and restore say so', async () => {
  using folder = await ADataFolder.with(site)
  flipByte(folder)
  const backup = await folder.run(['backup', 'box.tar', '--skip-damaged', '--json'])
  expect(backup.status).toBe(1)
  expect(JSON.parse(backup.stdout)).toMatchObject({ assets: 1, missingAssets: 0, damagedAssets: [sha256] })
  expect(readFileSync(folder.path('box.tar'), 'latin1')).toContain(`"damaged": [\n    "${sha256}"\n  ]`)
  const restored = await folder.run(['restore', 'box.tar'])
  expect(restored.status).toBe(0)
  expect(restored.stdout).toContain(
    `Damaged on the box when it was backed up, and not in the backup: SHA-256 ${sha256}.`,
  )
  await folder.apply(site)
  expect(await deepBytes(folder)).toMatchObject({ status: 'ok' })
  expect((await folder.run(['backup', 'again.tar'])).status).toBe(0)
})

test('a damaged compressed form is left out of a backup, which is whole all the same', async () => {
  using folder = await ADataFolder.with(site)
  flipByte(folder, '.br')
  const { status, stderr } = await folder.run(['backup', 'box.tar'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('compressed (br)') })
})
