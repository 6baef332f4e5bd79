import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { aSite } from '../harness/a-site.ts'
import { ADataFolder } from './a-data-folder.ts'

// `capture backup now|list|key` on a box that nobody serves.

async function aBackedUpFolder(keys: Record<string, unknown> = {}): Promise<ADataFolder & { target: string }> {
  const folder = new ADataFolder()
  const target = folder.path('target')
  const backup = { to: [pathToFileURL(target).href], ...keys }
  writeFileSync(folder.path('capture.toml'), Bun.TOML.stringify({ data_dir: './data', backup }))
  await folder.apply(aSite({ files: { 'pages/launch.html': '<h1>Launch</h1>' } }))
  return Object.assign(folder, { target })
}

const files = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [`${entry.parentPath}/${entry.name}`] : [],
  )

describe('backup now', () => {
  test('puts the whole box to its target, which list then shows', async () => {
    using folder = await aBackedUpFolder()
    const [base] = JSON.parse((await folder.done(['backup', 'now', '--json'])).stdout)
    expect(base).toMatchObject({ kind: 'base', from: 0, to: 0, missingAssets: 0 })
    const listed = JSON.parse((await folder.done(['backup', 'list', '--json'])).stdout)
    const { missingAssets: _, ...row } = base
    expect(listed).toEqual([row])
    expect((await folder.done(['backup', 'list'])).stdout).toContain('base')
  })

  test('makes objects that their owner alone can read', async () => {
    using folder = await aBackedUpFolder()
    await folder.done(['backup', 'now'])
    const modes = new Set(
      files(folder.target).map((file) =>
        Bun.file(file)
          .stat()
          .then(({ mode }) => mode & 0o777),
      ),
    )
    expect(await Promise.all(modes)).toEqual(files(folder.target).map(() => 0o600))
  })

  test('leaves no copy of the database behind', async () => {
    using folder = await aBackedUpFolder()
    await folder.done(['backup', 'now'])
    expect(readdirSync(folder.dataDir).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('without a configured target says where to name one', async () => {
    using folder = await ADataFolder.with()
    const { status, stderr } = await folder.run(['backup', 'now'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('[backup] to')])
  })

  test('refuses a target that is not configured, and names those that are', async () => {
    using folder = await aBackedUpFolder()
    const { status, stderr } = await folder.run(['backup', 'now', '--to', 's3://bucket'])
    expect([status, stderr]).toEqual([1, expect.stringContaining(pathToFileURL(folder.target).href)])
  })

  test('that fails is what doctor says', async () => {
    using folder = await aBackedUpFolder()
    await folder.done(['backup', 'now'])
    rmSync(folder.target, { recursive: true })
    expect((await folder.run(['backup', 'now'])).status).toBe(1)
    expect((await folder.run(['doctor'])).stdout).toContain('perhaps its disk is not mounted.')
  })

  test('gives up a bucket that takes the connection and never answers within 30 s', async () => {
    using silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    using folder = await aBackedUpFolder()
    const bucket = {
      s3_endpoint: `http://127.0.0.1:${silent.port}`,
      s3_region: 'eu',
      s3_access_key: 'k',
      s3_secret_key: 's',
    }
    const backup = { to: ['s3://bucket'], recipients: [await identityToRecipient(await generateIdentity())], ...bucket }
    writeFileSync(folder.path('capture.toml'), Bun.TOML.stringify({ data_dir: './data', backup }))
    const beganAtMs = performance.now()
    // The second one waits for the first, as it does for a running service.
    const ended = await Promise.all([folder.run(['backup', 'now']), folder.run(['backup', 'now'])])
    expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual(
      ended.map(() => [1, expect.stringContaining('did not answer in time')]),
    )
    expect(performance.now() - beganAtMs).toBeWithin(20_000, 30_000)
  })

  test('serves the other targets when one fails', async () => {
    using folder = await aBackedUpFolder()
    writeFileSync(folder.path('no-folder'), '')
    const to = ['no-folder', 'other'].map((name) => pathToFileURL(folder.path(name)).href)
    writeFileSync(folder.path('capture.toml'), Bun.TOML.stringify({ data_dir: './data', backup: { to } }))
    const { status, stdout } = await folder.run(['backup', 'now', '--json'])
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject([{ target: to[1] }])
  })
})

describe('backup key', () => {
  test('prints a pair that age opens its own files with', async () => {
    using folder = new ADataFolder()
    const { identity, recipient } = JSON.parse((await folder.done(['backup', 'key', '--json'])).stdout)
    const encrypter = new Encrypter()
    encrypter.addRecipient(recipient)
    const decrypter = new Decrypter()
    decrypter.addIdentity(identity)
    expect(await decrypter.decrypt(await encrypter.encrypt('records'), 'text')).toBe('records')
  })

  test('prints an identity file, and the public key aside', async () => {
    using folder = new ADataFolder()
    const { stdout, stderr } = await folder.done(['backup', 'key'])
    const [, recipient] = /^Public key: (age1[a-z0-9]{58})\n$/.exec(stderr) ?? []
    expect(stdout).toMatch(/^# created: .*\n# public key: age1.*\nAGE-SECRET-KEY-1[A-Z0-9]+\n$/)
    expect(stdout).toContain(`# public key: ${recipient}\n`)
  })

  test('is stored nowhere', async () => {
    using folder = await aBackedUpFolder()
    const { identity } = JSON.parse((await folder.done(['backup', 'key', '--json'])).stdout)
    expect(files(folder.dir).filter((file) => readFileSync(file).includes(identity))).toEqual([])
  })
})
