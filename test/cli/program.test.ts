import { describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { trackingKeyPattern } from '../../src/account/tracking-key.ts'
import { runCapture } from './run-capture.ts'

describe('the program', () => {
  test('says its version', async () => {
    const { status, stdout, stderr } = await runCapture(['version'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^capture ${manifest.version} \\(from source, Bun [\\d.]+, SQLite [\\d.]+\\)\n$`))
  })

  test('says its version as JSON', async () => {
    const { stdout } = await runCapture(['version', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      capture: manifest.version,
      bun: Bun.version,
      sqlite: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      target: null,
    })
  })

  test('says from source that it embeds nothing', async () => {
    const { status, stderr } = await runCapture(['version', '--notices'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('node_modules') })
  })

  test('prints a fresh tracking key', async () => {
    const { stdout } = await runCapture(['key', 'new'])
    expect(stdout.trimEnd()).toMatch(trackingKeyPattern)
  })

  test('prints a fresh form id each time', async () => {
    const { stdout } = await runCapture(['form', 'new'])
    expect(stdout).toMatch(/^[a-z0-9]{8}\n$/)
    const { id, ...rest } = JSON.parse((await runCapture(['form', 'new', '--json'])).stdout)
    expect({ id, rest }).toEqual({ id: expect.stringMatching(/^[a-z0-9]{8}$/), rest: {} })
    expect(id).not.toBe(stdout.trimEnd())
  })

  test('prints an example configuration that its own check accepts', async () => {
    const example = await runCapture(['config', 'example'])
    const file = join(tmpdir(), `capture-example-${crypto.randomUUID()}.toml`)
    await Bun.write(file, example.stdout)
    const { status, stdout } = await runCapture(['config', 'check', '--config', file])
    await Bun.file(file).delete()
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(`${file} can be used`) })
  })

  test('shows no secret of a configuration that it checks', async () => {
    const file = join(tmpdir(), `capture-secret-${crypto.randomUUID()}.toml`)
    const key = `${file}.key`
    const text = `[https]
mode = "auto"
eab_kid = "kid-1"
eab_hmac = "c2VjcmV0LWtleQ"
[mail]
host = "relay.agency.example"
from = "box@agency.example"
user = "box"
password = "c2VjcmV0LXBhc3N3b3Jk"
[backup]
to = ["s3://bucket/box"]
recipients = ["age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"]
s3_region = "eu-central-1"
s3_access_key = "key-1"
s3_secret_key = "c2VjcmV0LXMzLWtleQ"
[cluster]
url = "postgres://capture:a:c2VjcmV0@db.internal/capture?password=c2VjcmV0"
node = "a"
listen = "127.0.0.1:7443"
secret_file = "${key}"
store = "file:///var/store"
`
    await Bun.write(file, text)
    writeFileSync(key, 'c2VjcmV0LW9mLXRoaXJ0eS10d28tYnl0', { mode: 0o600 })
    const checked = await runCapture(['config', 'check', '--json', '--config', file])
    for (const path of [file, key]) await Bun.file(path).delete()
    const { https, mail, backup } = JSON.parse(checked.stdout).config
    expect(https).toMatchObject({ eabKid: 'kid-1', eabHmac: '(not shown)' })
    expect(mail).toMatchObject({ user: 'box', password: '(not shown)' })
    expect(backup).toMatchObject({ s3AccessKey: 'key-1', s3SecretKey: '(not shown)' })
    expect(checked.stdout + checked.stderr).not.toContain('c2VjcmV0')
  })

  test('prints a page of the manual as plain text', async () => {
    const { status, stdout } = await runCapture(['help', 'point-your-domain'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Point your domain at us\n/) })
    expect(stdout).not.toContain('](')
  })

  test('exits with 1 for a configuration that is not there', async () => {
    const { status, stdout, stderr } = await runCapture(['config', 'check', '--config', '/nowhere.toml'])
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('/nowhere.toml'),
    })
  })

  test('exits with 2 for wrong usage', async () => {
    const { status, stdout, stderr } = await runCapture(['verzion'])
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean version?'),
    })
  })
})

test.if(existsSync('/dev/full'))('a result that cannot be written is a failure', async () => {
  const main = `${import.meta.dir}/../../src/main.ts`
  const child = Bun.spawn(['sh', '-c', `"${process.execPath}" "${main}" version > /dev/full`], { stderr: 'pipe' })
  const [status, stderr] = await Promise.all([child.exited, child.stderr.text()])
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Cannot write to standard output') })
})
