import { beforeAll, expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildMsMax, builtExecutable, placeExecutable } from '../harness/executable.ts'
import { runProgram } from './harness/program.ts'

// What `service install` writes, into a tree of its own; a running systemd is asked for nothing here.

let executable = ''

beforeAll(async () => {
  executable = await builtExecutable()
}, buildMsMax)

/** A folder for a tree; disposed of, it is removed. */
class Tree implements Disposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'capture-service-')))
  readonly root = join(this.folder, 'root')

  path(place: string): string {
    return join(this.root, place)
  }

  run(argv: string[]) {
    return runProgram(argv, { executable, cwd: this.folder })
  }

  install(...options: string[]) {
    return this.installBy(executable, options)
  }

  /** Puts the executable where an earlier installation, or a package manager, would: the test is about something else. */
  place(where: 'usr/local/bin' | 'usr/bin'): void {
    mkdirSync(this.path(where), { recursive: true })
    placeExecutable(executable, this.path(`${where}/capture`))
  }

  installPackaged() {
    return this.installBy(this.path('usr/bin/capture'), [])
  }

  private async installBy(program: string, options: string[]) {
    const argv = ['service', 'install', '--root', 'root', '--json', ...options]
    const { status, stdout, stderr } = await runProgram(argv, { executable: program, cwd: this.folder })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as { changed: boolean; steps: { what: string; state: string }[]; notes: string[] }
  }

  /** Mode and text of everything below the root, by path. */
  contents(): Record<string, string> {
    const paths = readdirSync(this.root, { recursive: true, encoding: 'utf8' })
    return Object.fromEntries(paths.sort().map((path) => [path, this.described(path)]))
  }

  mode(place: string): string {
    return (statSync(this.path(place)).mode & 0o7777).toString(8)
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private described(path: string): string {
    const { mtimeMs, size } = statSync(this.path(path))
    return `${this.mode(path)} ${mtimeMs} ${size}`
  }
}

test('a tree gets executable, configuration, data folder, unit and kernel setting, each with its mode', async () => {
  using tree = new Tree()
  await tree.install('--preview-host', 'Preview.Acme.Example')
  const modes = ['usr/local/bin/capture', 'etc/capture/capture.toml', 'var/lib/capture', 'var/lib'].map((place) => [
    place,
    tree.mode(place),
  ])
  expect(Object.fromEntries(modes)).toEqual({
    'usr/local/bin/capture': '755',
    'etc/capture/capture.toml': '640',
    'var/lib/capture': '700',
    'var/lib': '755',
  })
  expect(tree.mode('etc/systemd/system/capture.service')).toBe('644')
  expect(tree.mode('etc/sysctl.d/60-capture.conf')).toBe('644')
  expect(readFileSync(tree.path('usr/local/bin/capture')).equals(readFileSync(executable))).toBe(true)
  expect(readFileSync(tree.path('etc/sysusers.d/capture.conf'), 'utf8')).toStartWith('u capture ')
})

test('a fresh configuration passes its check, keeps the data where the service may write, and orders certificates', async () => {
  using tree = new Tree()
  tree.place('usr/local/bin')
  const hosts = ['--preview-host', 'Preview.Acme.Example', '--console-host', 'Console.Acme.Example']
  await tree.install(...hosts, '--email', 'ops@acme.example')
  const file = tree.path('etc/capture/capture.toml')
  const checked = await tree.run(['config', 'check', '--json', '--config', file])
  expect(JSON.parse(checked.stdout)).toMatchObject({
    config: {
      dataDir: '/var/lib/capture',
      server: { listen: { host: '127.0.0.1', port: 8080 }, previewHost: 'preview.acme.example', trustedProxies: [] },
      https: { mode: 'auto', email: 'ops@acme.example', listen: { host: '::', port: 443 } },
      console: { host: 'console.acme.example' },
    },
    warnings: [],
  })
})

test('a second run changes nothing and says so', async () => {
  using tree = new Tree()
  await tree.install()
  const before = tree.contents()
  const { changed, steps } = await tree.install()
  expect({ changed, states: [...new Set(steps.map(({ state }) => state))] }).toEqual({
    changed: false,
    states: ['kept'],
  })
  expect(tree.contents()).toEqual(before)
  const { stdout } = await tree.run(['service', 'install', '--root', 'root'])
  expect(stdout).toContain('Nothing had to be changed.')
})

test('a trial says what would be done, and does none of it', async () => {
  using tree = new Tree()
  const { changed, steps } = await tree.install('--dry-run')
  expect({ changed, states: [...new Set(steps.map(({ state }) => state))] }).toEqual({ changed: true, states: ['due'] })
  expect(existsSync(tree.root)).toBe(false)
})

test('a unit, a kernel setting and modes that were changed are put right, and nothing else is', async () => {
  using tree = new Tree()
  tree.place('usr/local/bin')
  await tree.install()
  const unit = tree.path('etc/systemd/system/capture.service')
  const text = readFileSync(unit, 'utf8')
  writeFileSync(unit, text.replace('NoNewPrivileges=yes', 'NoNewPrivileges=no'))
  chmodSync(tree.path('etc/sysctl.d/60-capture.conf'), 0o666)
  chmodSync(tree.path('etc/capture/capture.toml'), 0o666)
  chmodSync(tree.path('var/lib/capture'), 0o755)
  const { steps } = await tree.install()
  expect(steps.filter(({ state }) => state === 'done').map(({ what }) => what)).toEqual([
    'configuration',
    'data folder',
    'unit',
    'kernel setting',
  ])
  expect(readFileSync(unit, 'utf8')).toBe(text)
  expect([tree.mode('etc/capture/capture.toml'), tree.mode('var/lib/capture')]).toEqual(['640', '700'])
})

test('a configuration that is there keeps its text, and it is said what was not written', async () => {
  using tree = new Tree()
  tree.place('usr/local/bin')
  await tree.install()
  const file = tree.path('etc/capture/capture.toml')
  appendFileSync(file, '# mine\n')
  const { changed, notes } = await tree.install('--preview-host', 'other.example', '--email', 'ops@acme.example')
  expect(changed).toBe(false)
  expect(notes.join()).toContain('--preview-host and --email stayed out of it')
  expect(readFileSync(file, 'utf8')).toEndWith('# mine\n')
})

test('another executable replaces the one that is there, under a running program as well', async () => {
  using tree = new Tree()
  await tree.install()
  const placed = tree.path('usr/local/bin/capture')
  const inode = statSync(placed).ino
  appendFileSync(placed, 'other')
  const { steps } = await tree.install()
  expect(steps[0]).toMatchObject({ what: 'executable', state: 'done' })
  expect(statSync(placed).ino).not.toBe(inode)
  expect(readFileSync(placed).equals(readFileSync(executable))).toBe(true)
})

test('what was installed is removed; configuration and records go with --purge alone', async () => {
  using tree = new Tree()
  tree.place('usr/local/bin')
  await tree.install()
  writeFileSync(tree.path('var/lib/capture/capture.db'), 'records')
  writeFileSync(tree.path('usr/local/bin/capture.previous'), 'what an upgrade kept')
  await tree.run(['service', 'uninstall', '--root', 'root'])
  const left = () => Object.keys(tree.contents()).filter((path) => path.includes('capture'))
  expect(left()).toEqual(['etc/capture', 'etc/capture/capture.toml', 'var/lib/capture', 'var/lib/capture/capture.db'])
  await tree.run(['service', 'uninstall', '--root', 'root', '--purge'])
  expect(left()).toEqual([])
})

test("a second run keeps the unit's user", async () => {
  using tree = new Tree()
  tree.place('usr/local/bin')
  await tree.install('--user', 'pages')
  expect((await tree.install()).changed).toBe(false)
  expect(readFileSync(tree.path('etc/systemd/system/capture.service'), 'utf8')).toContain('User=pages')
})

test('a packaged executable is run where it lies, and stays when the service goes', async () => {
  using tree = new Tree()
  tree.place('usr/local/bin')
  await tree.install()
  tree.place('usr/bin')
  const { steps } = await tree.installPackaged()
  expect(steps.map(({ what, state }) => `${what}: ${state}`)).toContain('earlier executable, removed: done')
  const unit = tree.path('etc/systemd/system/capture.service')
  expect(readFileSync(unit, 'utf8')).toContain('ExecStart=/usr/bin/capture serve')
  expect((await tree.installPackaged()).changed).toBe(false)

  const { stdout } = await tree.run(['service', 'uninstall', '--root', 'root'])
  expect(stdout).toContain('apt remove capture')
  expect([existsSync(unit), existsSync(tree.path('usr/bin/capture'))]).toEqual([false, true])
})

test('a service of the package becomes one of what is installed by hand, and the package keeps its file', async () => {
  using tree = new Tree()
  tree.place('usr/bin')
  await tree.installPackaged()
  expect(existsSync(tree.path('usr/local/bin/capture'))).toBe(false)
  await tree.install()
  expect(readFileSync(tree.path('etc/systemd/system/capture.service'), 'utf8')).toContain(
    'ExecStart=/usr/local/bin/capture serve',
  )
  expect(existsSync(tree.path('usr/bin/capture'))).toBe(true)
})

test.each([
  [['--user', 'Mallory;reboot'], '--user Mallory;reboot'],
  [['--user', 'root'], 'needs its own user'],
  [['--preview-host', 'https://preview.acme.example'], 'without http://'],
  [['--email', 'ops'], '--email ops: expected one email address'],
  [['--root', ''], '--root is empty'],
])('%j is a wrong use, and writes nothing', async (options, why) => {
  using tree = new Tree()
  const { status, stderr } = await tree.run(['service', 'install', '--root', 'root', ...options])
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(why) })
  expect(existsSync(tree.root)).toBe(false)
})

test.skipIf(existsSync('/run/systemd/system'))('without systemd each command says so in a sentence', async () => {
  using tree = new Tree()
  for (const argv of [['install'], ['install', '--dry-run'], ['status'], ['uninstall']]) {
    const { status, stdout, stderr } = await tree.run(['service', ...argv])
    expect({ status, stdout, lines: stderr.trim().split('\n').length }).toEqual({ status: 1, stdout: '', lines: 1 })
    expect(stderr).toStartWith('systemd does not run this machine')
  }
})

test('systemd finds no fault with the unit, and rates it 1.6 or better', async () => {
  if (Bun.which('systemd-analyze') === null) {
    throw new Error('systemd-analyze is not here: ./install.sh --dev installs it (Debian: apt-get install systemd)')
  }
  using tree = new Tree()
  tree.place('usr/local/bin')
  await tree.install()
  const unit = tree.path('etc/systemd/system/capture.service')
  const analyze = (...words: string[]) => {
    const { stdout, stderr } = Bun.spawnSync(['systemd-analyze', '--no-pager', ...words])
    return { stdout: stdout.toString(), stderr: stderr.toString() }
  }
  const [, exposure] =
    /exposure level for capture\.service: ([\d.]+)/.exec(analyze('security', '--offline=true', unit).stdout) ?? []
  expect(Number(exposure)).toBeWithin(0, 1.61)
  // The executable is looked for on this machine.
  const here = join(tree.folder, 'capture.service')
  writeFileSync(here, readFileSync(unit, 'utf8').replace('/usr/local/bin/capture', executable))
  const { stderr } = analyze('verify', here)
  expect(stderr.split('\n').filter((line) => line.includes('capture.service'))).toEqual([])
})
