import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pebbleVersion } from './harness/pebble-programs.ts'
import { postgresVersion } from './harness/postgres.ts'
import { versitygwVersion } from './harness/s3-server.ts'

// install.sh on a machine that holds only what a test puts there: its PATH is a folder of links, its npm a script.

const version = '9.8.7'
const systemTools =
  'sh dirname basename mktemp sed head tail grep tr uname tar gzip chmod mkdir mv ln readlink rm cat id env ldd'

let folder = ''
const at = (...parts: string[]) => join(folder, ...parts)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capture-install-'))
  for (const path of ['repository', 'tools', 'home/.local/bin', 'other']) await mkdir(at(path), { recursive: true })
  await copyFile(join(import.meta.dir, '../install.sh'), at('repository/install.sh'))
  await Bun.write(at('repository/package.json'), `{\n  "engines": {\n    "bun": "${version}"\n  }\n}\n`)
  for (const name of systemTools.split(' ')) await symlink(Bun.which(name) ?? `/missing/${name}`, at('tools', name))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const script = async (path: string, text: string) => {
  await Bun.write(at(path), `#!/bin/sh\n${text}\n`)
  await chmod(at(path), 0o755)
}

/** A Bun that knows its version and writes down what else it is asked. */
const fakeBun = (says: string) => `if [ "$1" = --version ]; then echo ${says}; else echo "$*" >>"${at('asked')}"; fi`

/** An npm that packs a Bun of the given version. */
async function placeNpm(says = version): Promise<void> {
  await script('package/bin/bun', fakeBun(says))
  await script('tools/npm', `tar -czf bun.tgz -C '${folder}' package`)
}

async function install(path: string[], ...words: string[]) {
  const child = Bun.spawn([at('repository/install.sh'), ...words], {
    env: { HOME: at('home'), PATH: [...path, 'tools'].map((name) => at(name)).join(':') },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, faults] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { status: await child.exited, output, faults }
}

test('without Bun it installs the pinned one and links it into a folder on PATH', async () => {
  await placeNpm()
  const { status } = await install(['home/.local/bin'])
  expect(status).toBe(0)
  expect(await readlink(at('home/.local/bin/bun'))).toBe(at(`home/.bun/versions/${version}/bin/bun`))
})

test('it installs packages from the lock file without development packages, then builds', async () => {
  await script('other/bun', fakeBun(version))
  await install(['other'])
  expect(await Bun.file(at('asked')).text()).toBe('install --frozen-lockfile --production\nrun build\n')
})

test('a second run installs no Bun again', async () => {
  await placeNpm()
  await install(['home/.local/bin'])
  await rm(at('tools/npm'))
  const { status, output } = await install(['home/.local/bin'])
  expect(status).toBe(0)
  expect(output).not.toContain('is not here')
})

test('a wrong version first on PATH is named, left alone, and the line that mends it printed', async () => {
  await placeNpm()
  await script('other/bun', fakeBun('1.0.0'))
  const { output } = await install(['other', 'home/.local/bin'])
  expect(output).toContain(`Another bun comes first on PATH: ${at('other/bun')} (1.0.0)`)
  expect(output).toContain(`export PATH="${at(`home/.bun/versions/${version}/bin`)}:$PATH"`)
})

test('a wrong version later on PATH is overtaken by a link', async () => {
  await placeNpm()
  await script('other/bun', fakeBun('1.0.0'))
  const { output } = await install(['home/.local/bin', 'other'])
  expect(output).toContain(`Linked ${at('home/.local/bin/bun')}`)
  expect(output).not.toContain('export PATH')
})

test('a packed Bun of another version is not used', async () => {
  await placeNpm('1.0.0')
  const { status, faults } = await install([])
  expect(status).toBe(1)
  expect(faults).toContain('npm: the program it holds does not run here')
})

test('where every way fails it lists what was tried and what to do', async () => {
  const { status, faults } = await install([])
  expect(status).toBe(1)
  expect(faults).toContain('  - npm: not installed')
  expect(faults).toContain('  - apt-get: not on this system')
  expect(faults).toContain(`Install Bun ${version} by hand`)
})

test('where the home folder takes nothing, Bun goes into the clone and is found there again', async () => {
  await placeNpm()
  await Bun.write(at('home/.bun'), 'in the way, as a folder that is not writable would be')
  const first = await install([])
  expect([first.status, first.output]).toEqual([0, expect.stringContaining(`${at('repository/gen/bun')}/versions/`)])
  await rm(at('tools/npm'))
  expect((await install([])).status).toBe(0)
})

test('what npm says first is the reason that is told', async () => {
  await script(
    'tools/npm',
    'echo "npm error code ENOTFOUND" >&2; echo "npm error Log files were not written" >&2; exit 1',
  )
  expect((await install([])).faults).toContain('failed: code ENOTFOUND')
})

test('a build that fails is shown, and nothing is called ready', async () => {
  await script('other/bun', `case "$*" in --version) echo ${version} ;; "run build") echo no such file; exit 1 ;; esac`)
  const { status, output, faults } = await install(['other'])
  expect(status).toBe(1)
  expect(faults).toContain('no such file')
  expect(output).not.toContain('Ready')
})

test('--dev without root names the packages that are missing, and goes on', async () => {
  await script('other/bun', fakeBun(version))
  const { status, output } = await install(['other'], '--dev')
  expect(status).toBe(0)
  expect(output).toContain('apt-get install chromium wrk curl systemd minisign python3 php-cli ruby')
})

test('--dev builds pebble and versitygw once, with the Go that is here, for tests to find it below the home folder', async () => {
  await script('other/bun', fakeBun(version))
  await script(
    'other/go',
    `echo "$*" >>"${at('built')}"; name=\${2##*/}; echo >"$GOBIN/\${name%@*}"; chmod 755 "$GOBIN"/*`,
  )
  await install(['other'], '--dev')
  const again = await install(['other'], '--dev')
  expect(again.output).toContain(`pebble ${pebbleVersion} is here`)
  expect(again.output).toContain(`versitygw ${versitygwVersion} is here`)
  expect((await Bun.file(at('built')).text()).split('\n')).toEqual([
    `install github.com/letsencrypt/pebble/v2/cmd/pebble@v${pebbleVersion}`,
    `install github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv@v${pebbleVersion}`,
    `install github.com/versity/versitygw/cmd/versitygw@v${versitygwVersion}`,
    '',
  ])
  expect(existsSync(at(`home/.cache/capture/pebble-${pebbleVersion}/pebble`))).toBe(true)
})

test('--dev where pebble cannot be built says why and what fails then, and goes on', async () => {
  await script('other/bun', fakeBun(version))
  await script('other/go', 'echo "go: module lookup disabled" >&2; exit 1')
  const { status, output } = await install(['other'], '--dev')
  expect(status).toBe(0)
  expect(output).toContain('tests of certificates fail')
  expect(output).toContain('tests of backups in a bucket fail')
  expect(output).toContain(`${at('other/go')} install: go: module lookup disabled`)
})

test('PostgreSQL for tests is the version that tests look for', async () => {
  const text = await Bun.file(at('repository/install.sh')).text()
  expect(text).toContain(`\npostgres_version=${postgresVersion}\n`)
})

test('an unknown argument is wrong usage', async () => {
  expect((await install([], '--nope')).status).toBe(2)
})
