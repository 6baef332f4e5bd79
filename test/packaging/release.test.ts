// `bun run package` for this machine: what it makes, and that others' tools take it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import manifest from '../../package.json' with { type: 'json' }
import { readSignature, verifySignature } from '../../src/lib/minisign.ts'
import { hostTargetName } from '../../src/packaging/runtimes.ts'
import { readTrustedComment } from '../../src/release/trusted-comment.ts'
import { runProgram } from '../binary/harness/program.ts'
import { buildMsMax } from '../harness/executable.ts'
import { newSecretKey, publicKeyFile } from '../lib/minisign/keys.ts'

const repository = join(import.meta.dir, '../..')
const target = await hostTargetName()
const { version } = manifest
const executable = `capture-${version}-${target}`
const machine = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }[target]
const deb = `capture_${version}_${machine}.deb`
const bill = `capture-${version}.cdx.json`
const notices = 'THIRD-PARTY-NOTICES'

const folder = mkdtempSync(join(tmpdir(), 'capture-release-'))
const key = newSecretKey()
const path = (name: string, release = 'dist') => join(folder, release, name)

/** Runs a program to its end, in the release's folder. */
function run(words: string[], options: { env?: Record<string, string>; cwd?: string } = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, {
    cwd: options.cwd ?? join(folder, 'dist'),
    env: { ...process.env, ...options.env },
    stdin: 'ignore',
  })
  return { status: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

const makeRelease = (out: string) =>
  run(['bun', 'run', 'package', '--target', target, '--out', join(folder, out), '--signing-key', join(folder, 'key')], {
    cwd: repository,
    env: { SOURCE_DATE_EPOCH: '1800000000', PATH: `${join(process.execPath, '..')}:${process.env.PATH}` },
  })

describe.if(machine !== undefined && Bun.which('minisign') !== null)('a release', () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'key'), key.file, { mode: 0o600 })
    const { status, stderr } = makeRelease('dist')
    if (status !== 0) throw new Error(stderr)
  }, buildMsMax)

  afterAll(() => rmSync(folder, { recursive: true }))

  test('holds executable, package, Dockerfile, bill of materials, notices and sums, and the signature of each', () => {
    const files = [executable, deb, 'Dockerfile', bill, notices, 'SHA256SUMS']
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual(
      [...files, ...files.map((name) => `${name}.minisig`)].sort(),
    )
  })

  test('has an executable that says its version and its target', () => {
    expect(JSON.parse(run([path(executable), 'version', '--json']).stdout)).toMatchObject({ capture: version, target })
    expect(statSync(path(executable)).mode & 0o777).toBe(0o755)
  })

  test('has an executable that says what it contains of others, as the file beside it does', () => {
    expect(run([path(executable), 'version', '--notices']).stdout.trim()).toBe(
      readFileSync(path(notices), 'utf8').trim(),
    )
  })

  test('has a bill of materials that CycloneDX itself accepts, with the time of the release', async () => {
    const text = readFileSync(path(bill), 'utf8')
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    expect(await validator.validate(text)).toBeNull()
    expect(JSON.parse(text).metadata).toMatchObject({
      timestamp: '2027-01-15T08:00:00.000Z',
      component: { name: 'capture', version },
    })
  })

  test('has the sums that sha256sum finds', () => {
    const { status, stdout } = run(['sha256sum', '--check', '--strict', 'SHA256SUMS'])
    expect({ status, lines: stdout.trim().split('\n') }).toEqual({
      status: 0,
      lines: [executable, deb, 'Dockerfile', bill, notices].map((name) => `${name}: OK`),
    })
  })

  test('has signatures that verify, and name the file, its version and its machine', async () => {
    for (const [name, of] of [
      [executable, target],
      [deb, target],
      ['SHA256SUMS', 'any'],
    ] as const) {
      const signature = readSignature(readFileSync(path(`${name}.minisig`), 'utf8'))
      const { trustedComment } = await verifySignature(signature, Bun.file(path(name)).stream(), [key.public])
      expect(readTrustedComment(trustedComment)).toEqual({ file: name, version, target: of })
    }
  })

  test('has signatures that minisign itself verifies', () => {
    writeFileSync(join(folder, 'key.pub'), publicKeyFile(key.public))
    const verify = (name: string) => run(['minisign', '-V', '-p', join(folder, 'key.pub'), '-m', path(name)]).status
    const files = [executable, deb, 'Dockerfile', bill, notices, 'SHA256SUMS']
    expect(files.map((name) => [name, verify(name)])).toEqual(files.map((name) => [name, 0]))
  })

  test('has an executable that trusts the key it was signed with, and a changed file of that key no more', async () => {
    const serving = (change: (bytes: Uint8Array) => Uint8Array) =>
      Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: async (request) => {
          const name = new URL(request.url).pathname.slice(1)
          const bytes = await Bun.file(path(name)).bytes()
          return new Response(name === executable ? change(bytes) : bytes)
        },
      })
    const check = async (change: (bytes: Uint8Array) => Uint8Array) => {
      await using server = serving(change)
      const argv = ['upgrade', `${server.url}${executable}`, '--check']
      return await runProgram(argv, { executable: path(executable), cwd: folder })
    }
    expect(await check((bytes) => bytes)).toMatchObject({ status: 0, stdout: expect.stringContaining(version) })
    const cut = await check((bytes) => bytes.subarray(1))
    expect(cut).toMatchObject({ status: 1, stderr: expect.stringContaining('not the one that was signed') })
  })

  test(
    'made again has the same bytes',
    () => {
      expect(makeRelease('again').status).toBe(0)
      for (const name of readdirSync(join(folder, 'dist'))) {
        expect([name, run(['cmp', path(name), path(name, 'again')]).status]).toEqual([name, 0])
      }
    },
    buildMsMax,
  )

  test('never takes the place of a folder that holds something else', () => {
    mkdirSync(join(folder, 'mine'))
    writeFileSync(join(folder, 'mine/notes'), 'mine')
    const { status, stderr } = makeRelease('mine')
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('--out') })
    expect(readdirSync(join(folder, 'mine'))).toEqual(['notes'])
  })

  describe.if(Bun.which('dpkg-deb') !== null)('has a Debian package that', () => {
    const tree = join(folder, 'tree')
    const at = (place: string) => join(tree, place)
    const dpkg = (...words: string[]) => {
      const forced = ['script-chrootless', 'not-root', 'depends', 'architecture', 'bad-path'].map(
        (word) => `--force-${word}`,
      )
      return run(['dpkg', `--root=${tree}`, '--log=/dev/null', ...forced, ...words])
    }

    beforeAll(() => {
      for (const place of ['info', 'updates', 'triggers']) mkdirSync(at(`var/lib/dpkg/${place}`), { recursive: true })
      for (const file of ['status', 'available']) writeFileSync(at(`var/lib/dpkg/${file}`), '')
    })

    test('names version, machine and what it needs', () => {
      const fields = ['Package', 'Version', 'Architecture', 'Depends']
      expect(run(['dpkg-deb', '--field', deb, ...fields]).stdout).toBe(
        `Package: capture\nVersion: ${version}\nArchitecture: ${machine}\nDepends: libc6 (>= 2.17)\n`,
      )
    })

    test('is installed by dpkg: the executable is the same, and nothing is changed of it', () => {
      expect(dpkg('--install', path(deb))).toMatchObject({ status: 0 })
      expect(run(['cmp', path(executable), at('usr/bin/capture')]).status).toBe(0)
      expect(dpkg('--verify', 'capture').stdout).toBe('')
      expect(run([at('usr/bin/capture'), 'version']).stdout).toContain(version)
      const installed = Bun.gunzipSync(readFileSync(at(`usr/share/doc/capture/${notices}.gz`)))
      expect(Buffer.from(installed).equals(readFileSync(path(notices)))).toBe(true)
    })

    test('takes its service along when it is removed, and its configuration when it is purged, but never records', () => {
      const installed = run([at('usr/bin/capture'), 'service', 'install', '--root', tree])
      expect(installed).toMatchObject({ status: 0 })
      writeFileSync(at('var/lib/capture/capture.db'), 'records')
      const there = () =>
        [
          'usr/bin/capture',
          'etc/systemd/system/capture.service',
          'etc/capture/capture.toml',
          'var/lib/capture/capture.db',
        ].filter((place) => existsSync(at(place)))
      expect(dpkg('--remove', 'capture')).toMatchObject({ status: 0 })
      expect(there()).toEqual(['etc/capture/capture.toml', 'var/lib/capture/capture.db'])
      expect(dpkg('--purge', 'capture')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('Kept: /var/lib/capture'),
      })
      expect(there()).toEqual(['var/lib/capture/capture.db'])
    })

    test('leaves the service of another executable alone', () => {
      dpkg('--install', path(deb))
      const unit = at('etc/systemd/system/capture.service')
      run([path(executable), 'service', 'install', '--root', tree])
      expect(readFileSync(unit, 'utf8')).toContain('ExecStart=/usr/local/bin/capture')
      dpkg('--purge', 'capture')
      expect([unit, at('etc/capture/capture.toml')].map((place) => existsSync(place))).toEqual([true, true])
    })
  })
})

describe('packaging', () => {
  test('pins Bun for other machines to the version that builds', async () => {
    const { dependencies } = await Bun.file(join(repository, 'src/packaging/runtimes/package.json')).json()
    expect([...new Set(Object.values(dependencies))]).toEqual([manifest.engines.bun])
  })

  test.each([
    [['--target', 'linux-mips'], 'linux-x64-musl'],
    [['--signing-key', '/nowhere'], 'Cannot read /nowhere'],
    [['--sign'], 'Usage: bun run package'],
  ])('%j is refused with what to write instead', (words, said) => {
    const { status, stderr } = run(['bun', 'src/package.ts', ...words], { cwd: repository })
    expect(status).not.toBe(0)
    expect(stderr).toContain(said)
    expect(stderr).not.toContain('    at ')
  })
})
