import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostTargetName } from '../../src/packaging/runtimes.ts'
import { trustedComment } from '../../src/release/trusted-comment.ts'
import { aSite } from '../harness/a-site.ts'
import { formRequest, submissionIdOf } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { buildMsMax } from '../harness/executable.ts'
import { sendRequest } from '../harness/http.ts'
import { LaterVersion } from '../harness/later-version.ts'
import { startPostgres } from '../harness/postgres.ts'
import { newSecretKey, signatureFile } from '../lib/minisign/keys.ts'
import { backedUpBox, isBackedUp, pointsIn } from './harness/backup-box.ts'
import { BinaryBox, type BoxOptions } from './harness/binary-box.ts'
import { become, becomeNode, joins } from './harness/cluster-node.ts'
import { NotifySocket } from './harness/notify-socket.ts'
import type { RunningServer } from './harness/program.ts'
import { SmallVolume } from './harness/small-volume.ts'
import { Visitors } from './harness/visitors.ts'

// `capture upgrade` (docs/upgrades.md), by executables of later versions.

const host = 'go.acme.test'
/** Ends the new version where a file says so. */
const endWhere = (point: string) => `if (require('node:fs').existsSync('end-${point}')) process.exit(3)\n`
const predecessorFile = 'src/cli/serve/predecessor.ts'

let folder: string
/** 0.2.0: the same, which ends where it is told to. */
let later: string
/** 0.3.0: 0.2.0 with a migration. */
let migrating: string
/** With an account. Boxes that are upgraded begin as copies of it. */
let prepared: BinaryBox

beforeAll(async () => {
  prepared = await BinaryBox.make()
  await prepared.apply(aSite())
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'capture-upgrade-')))
  const ends: [string, string, string][] = [
    [
      predecessorFile,
      '    const met = await meetService(dataDir, itGoesOn)\n',
      `    ${endWhere('at-start')}    const met = await meetService(dataDir, itGoesOn)\n`,
    ],
    [predecessorFile, '    await probeCommit()\n', `    ${endWhere('before-ready')}    await probeCommit()\n`],
    [
      predecessorFile,
      "    this.connection.send({ say: 'ready' })\n",
      `    this.connection.send({ say: 'ready' })\n    setTimeout(() => { ${endWhere('after-ready')} }, 500)\n`,
    ],
  ]
  later = await LaterVersion.make(join(folder, 'later'), []).build('0.2.0', ends)
  migrating = await LaterVersion.make(join(folder, 'migrating'), ['CREATE TABLE later (a integer)']).build(
    '0.3.0',
    ends,
  )
}, buildMsMax)

afterAll(async () => {
  await prepared[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** A box with an executable of its own, an account and one submission, that is served. */
async function servedBox(
  options: BoxOptions = {},
  env: Record<string, string> = {},
): Promise<{ box: BinaryBox; server: RunningServer }> {
  const box = await prepared.copy({ ...options, installs: true })
  const server = await box.serve(env)
  await capture(server)
  return { box, server }
}

async function capture({ port }: RunningServer): Promise<void> {
  expect((await sendRequest(port, formRequest())).status).toBe(200)
}

const upgrade = (box: BinaryBox, ...argv: string[]) => box.run(['upgrade', ...argv, '--watch', '2'])
const versionOf = async (box: BinaryBox): Promise<string> => JSON.parse(await box.done(['version', '--json'])).capture
const snapshots = ({ dataDir }: BinaryBox): string[] =>
  existsSync(join(dataDir, 'snapshots')) ? readdirSync(join(dataDir, 'snapshots')).sort() : []

/** Everything is as it was: the executable, the process, and that it captures. */
async function expectAsBefore(box: BinaryBox, server: RunningServer): Promise<void> {
  expect(await versionOf(box)).toBe('0.1.0')
  expect(box.servingPid()).toBe(server.pid)
  await capture(server)
  expect(readdirSync(join(box.dir, 'bin')).filter((name) => name.startsWith('.'))).toEqual([])
}

test('a cluster is upgraded node by node, captures meanwhile, and has the same on both', async () => {
  await using postgres = await startPostgres()
  const [first, second] = [await BinaryBox.make({ installs: true }), await BinaryBox.make({ installs: true })]
  await using _first = first
  await using _second = second
  await first.apply(aSite())
  for (const [node, box] of Object.entries({ a: first, b: second }))
    becomeNode(box, { url: postgres.url, node, store: `file://${first.dir}/store` })
  const leader = await first.serve()
  await joins(second, postgres.url)
  const follower = await second.serve()
  await become(first, { a: 'leads', b: 'follows' })
  expect((await upgrade(first, migrating)).status).toBe(0)
  await become(first, { a: 'leads', b: 'paused' })
  for (const server of [leader, follower]) await capture(server)
  expect((await upgrade(second, migrating)).status).toBe(0)
  await become(first, { a: 'leads', b: 'follows' })
  await capture(follower)
  await eventually('both have all', async () => (await first.submissions()).length === 3)
  await first.done(['cluster', 'lead', 'b'])
  await become(first, { a: 'follows', b: 'leads' })
  expect(await second.submissions()).toHaveLength(3)
})

test('a service that is upgraded loses no increment, and the new version goes on with the target', async () => {
  await using backed = await backedUpBox({ installs: true })
  const { box, target, folder, identity } = backed
  const server = await box.serve()
  const sends = () => server.send(formRequest()).then(submissionIdOf)
  const acknowledged = [await sends()]
  await box.done(['backup', 'now'])
  await isBackedUp(backed)
  const upgradedAt = Date.now()
  expect((await upgrade(box, later)).status).toBe(0)
  expect(await server.exits()).toEqual({ status: 0, signal: null })
  acknowledged.push(await sends())
  await isBackedUp(backed)
  process.kill(box.servingPid() ?? 0, 'SIGTERM')
  await server.ended()
  const points = pointsIn(folder)
  expect(new Set(points.map(({ history }) => history)).size).toBe(1)
  expect(points.filter(({ kind, at }) => kind === 'base' && at > upgradedAt)).toEqual([])
  expect(server.stderr).not.toContain('A backup failed')
  await box.done(['restore', target, '--identity', identity])
  expect((await box.submissions()).map(({ submissionId }) => submissionId)).toEqual(acknowledged)
})

describe('a service under load', () => {
  test.each([
    ['to a version with the same database', () => later, '0.2.0', 'before-upgrade-'],
    ['to one that changes the database', () => migrating, '0.3.0', 'before-migration-'],
  ])('is upgraded %s without losing a request or a record', async (_, next, version, snapshot) => {
    const { box, server } = await servedBox()
    await using _box = box
    const visitors = new Visitors({ plain: server.port }, host, [
      { requestsMax: Number.POSITIVE_INFINITY },
      { requestsMax: 20 },
      { requestsMax: 1 },
    ])
    await visitors.moreAnswers(20)
    const { status, stdout, stderr } = await upgrade(box, next(), '--json')
    expect(stderr).not.toContain('Nothing was changed')
    expect(status).toBe(0)
    expect(await server.exits()).toEqual({ status: 0, signal: null })
    await visitors.moreAnswers(20)
    const { submissionIds, lost, refused } = await visitors.stop()
    expect({ lost, refused }).toEqual({ lost: 0, refused: [] })
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'upgraded',
      from: '0.1.0',
      to: version,
      service: box.servingPid(),
    })
    expect(await versionOf(box)).toBe(version)
    const stored = (await box.submissions()).map(({ submissionId }) => submissionId)
    expect(stored).toEqual(expect.arrayContaining(submissionIds))
    expect(stored).toHaveLength(submissionIds.length + 1)
    expect(snapshots(box).map((name) => name.startsWith(snapshot))).toEqual([true])
  })

  test('goes back to the version before, and forth again', async () => {
    const { box } = await servedBox()
    await using _box = box
    expect((await upgrade(box, later)).status).toBe(0)
    expect((await upgrade(box, '--rollback')).status).toBe(0)
    expect(await versionOf(box)).toBe('0.1.0')
    expect((await upgrade(box, '--rollback')).status).toBe(0)
    expect(await versionOf(box)).toBe('0.2.0')
  })
})

describe('the version before serves on', () => {
  test('whenever the new one ends, and what --rollback leads to stays what it was', async () => {
    const { box, server } = await servedBox()
    await using _box = box
    const previous = join(box.dir, 'bin', 'capture.previous')
    writeFileSync(previous, 'the version before')
    for (const [times, point] of ['at-start', 'before-ready', 'after-ready'].entries()) {
      const ending = join(box.dir, `end-${point}`)
      writeFileSync(ending, '')
      const { status, stderr } = await upgrade(box, later)
      expect({ point, status, stderr }).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('The new version did not take over'),
      })
      await expectAsBefore(box, server)
      // Not by its text: an executable in its place would be shown whole.
      expect(readFileSync(previous).equals(Buffer.from('the version before'))).toBe(true)
      expect(await box.submissions()).toHaveLength(times + 2)
      rmSync(ending)
    }
  })

  test('with the database as it was, when the new one has changed it and ends before it is ready', async () => {
    const { box, server } = await servedBox()
    await using _box = box
    writeFileSync(join(box.dir, 'end-before-ready'), '')
    expect((await upgrade(box, migrating)).status).toBe(1)
    await expectAsBefore(box, server)
    expect(await box.submissions()).toHaveLength(2)
    expect(snapshots(box).filter((name) => name.startsWith('after-migration-'))).toHaveLength(1)
  })
})

test('going back behind a change of the database is not offered, and refused with the lines to type', async () => {
  const { box } = await servedBox()
  await using _box = box
  const upgraded = await upgrade(box, migrating)
  expect(upgraded.status).toBe(0)
  expect(upgraded.stderr + upgraded.stdout).not.toMatch(/watched|--rollback/)
  const { status, stderr } = await upgrade(box, '--rollback')
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /Version 0\.1\.0 cannot read the database any more[\s\S]*capture\.previous restore .*before-migration-/,
  )
  expect(await versionOf(box)).toBe('0.3.0')
  expect(box.servingPid()).not.toBeNull()
})

test('--check says how it would go, and changes nothing', async () => {
  const { box, server } = await servedBox()
  await using _box = box
  const before = readdirSync(box.dataDir).filter((name) => !name.startsWith('upgrade.'))
  const { status, stdout } = await upgrade(box, migrating, '--check', '--json')
  expect({ status, state: JSON.parse(stdout).state }).toEqual({ status: 0, state: 'checked' })
  await expectAsBefore(box, server)
  expect(readdirSync(join(box.dir, 'bin'))).toEqual(['capture'])
  expect(readdirSync(box.dataDir).filter((name) => !name.startsWith('upgrade.') && name !== 'unfinished')).toEqual(
    before,
  )
})

test.skipIf(process.getuid?.() !== 0)(
  '--check works for root on a data folder of somebody else, as on an installed box',
  async () => {
    await using box = await prepared.copy({ installs: true })
    chmodSync(box.dir, 0o755)
    Bun.spawnSync(['chown', '-R', '54321:54321', box.dataDir])
    const { status, stdout, stderr } = await upgrade(box, later, '--check')
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringContaining('0.2.0 can take') })
  },
)

test('a folder in the place of the version before is named, and nothing is left behind', async () => {
  await using box = await BinaryBox.make({ installs: true })
  mkdirSync(join(box.dir, 'bin/capture.previous'))
  const { status, stderr } = await upgrade(box, later)
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('move it away') })
  expect(readdirSync(join(box.dir, 'bin')).sort()).toEqual(['capture', 'capture.previous'])
})

test('without a service the executable is replaced, and it is said', async () => {
  await using box = await prepared.copy({ installs: true })
  const { status, stdout } = await upgrade(box, later)
  expect(status).toBe(0)
  expect(stdout).toContain('No service runs')
  expect(await versionOf(box)).toBe('0.2.0')
})

describe('is refused, and changes nothing:', () => {
  const beginning = async (bytes: number) => Buffer.from(await Bun.file(later).slice(0, bytes).arrayBuffer())
  const otherMachine = async () => {
    const bytes = await beginning(4096)
    bytes.writeUInt16LE(process.arch === 'x64' ? 183 : 62, 18)
    return bytes
  }
  test.each<[string, () => string | Promise<Buffer> | null, RegExp]>([
    ['a text', () => 'capture', /is not an executable for Linux/],
    ['an executable for another machine', otherMachine, /is for arm64|x86-64/],
    ['another program', () => readFile('/bin/true'), /is not Capture/],
    ['half of an executable', () => beginning(40_000_000), /does not start|is not Capture/],
    ['a file that is not there', () => null, /There is no file/],
  ])('%s', async (_, make, said) => {
    await using box = await BinaryBox.make({ installs: true })
    const file = join(box.dir, 'new')
    const made = await make()
    if (made !== null) {
      writeFileSync(file, made)
      chmodSync(file, 0o755)
    }
    const { status, stderr } = await upgrade(box, file)
    expect(status).toBe(1)
    expect(stderr).toMatch(said)
    expect(readdirSync(join(box.dir, 'bin'))).toEqual(['capture'])
  })
})

test('killed at any step, it leaves a box that serves and can be upgraded', async () => {
  const early = [/is Capture 0\.2\.0/, /works on a copy/, /hands over to it/]
  for (const steps of [early, [/The new version serves/]]) {
    const { box, server } = await servedBox()
    await using _box = box
    for (const step of steps) {
      await using running = box.start(['upgrade', later, '--watch', '2'])
      await running.says('stderr', step)
      running.signal('SIGKILL')
      await running.exits()
      expect(['0.1.0', '0.2.0']).toContain(await versionOf(box))
      await capture(server)
    }
    await upgradedAtLast(box)
    await capture(server)
    expect(await box.submissions()).toHaveLength(steps.length + 2)
    expect(readdirSync(join(box.dir, 'bin')).sort()).toEqual(['capture', 'capture.previous'])
  }
})

/** The service may be at handing over still. */
async function upgradedAtLast(box: BinaryBox): Promise<void> {
  for (;;) {
    const { status, stderr } = await upgrade(box, later)
    if (status === 0) break
    if (!/standing by|taking over|in progress|does not answer/.test(stderr)) throw new Error(stderr)
    await Bun.sleep(100)
  }
  expect(await versionOf(box)).toBe('0.2.0')
}

test('a service manager is told which process is the service, and of no stop', async () => {
  await using manager = new NotifySocket()
  const { box, server } = await servedBox({}, { NOTIFY_SOCKET: manager.name, WATCHDOG_USEC: '3000000' })
  await using _box = box
  await manager.hears(/READY=1/)
  expect((await upgrade(box, later)).status).toBe(0)
  expect(await server.exits()).toEqual({ status: 0, signal: null })
  const told = await manager.hears(new RegExp(`^MAINPID=${box.servingPid()}$`))
  await manager.hears(/^READY=1\nSTATUS=Serving 1 account on 1 domain, 0\.2\.0$/, told)
  await manager.hears(/^WATCHDOG=1$/, told)
  expect(manager.messages.filter((message) => message.includes('STOPPING'))).toEqual([])
})

test('when the one that stands by is killed, the new one makes room for what the service manager starts', async () => {
  await using manager = new NotifySocket()
  const { box, server } = await servedBox({}, { NOTIFY_SOCKET: manager.name })
  await using _box = box
  await using running = box.start(['upgrade', later, '--watch', '60'])
  await running.says('stderr', /is watched/)
  server.signal('SIGKILL')
  const hasMadeRoom = async () => /The previous process died[\s\S]*"Stopped\."/.test(server.stderr)
  await eventually('the new one stops', hasMadeRoom)
  await using next = await box.serve({ NOTIFY_SOCKET: manager.name })
  await capture(next)
  expect((await running.ended()).status).toBe(0)
  expect(await versionOf(box)).toBe('0.2.0')
})

describe('from an address', () => {
  const key = newSecretKey()
  const comment = async (version = '0.2.0', target?: string) =>
    trustedComment({ file: 'capture', version, target: target ?? (await hostTargetName()) }, 0)
  const signed = async (file: Blob, said = comment(), secret = key) =>
    new Response(await signatureFile(file.stream(), secret, await said))
  /** The signature of the later version. */
  const signature = (said = comment()) => signed(Bun.file(later), said)
  /** Where what the signature tells is refused before the file is asked for: a real one would be read for nothing. */
  const signatureAlone = (said = comment(), secret = key) => signed(new Blob(['any file']), said, secret)

  /** What a folder of releases answers. */
  function releases(paths: Record<string, () => Response | Promise<Response>>) {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => paths[new URL(request.url).pathname]?.() ?? new Response('no', { status: 404 }),
    })
    return { address: `http://127.0.0.1:${server.port}/capture`, [Symbol.dispose]: () => void server.stop(true) }
  }
  const whole = () => new Response(Bun.file(later))
  const half = async () => new Response(await Bun.file(later).slice(0, 1_000_000).bytes())
  const check = (box: BinaryBox, address: string) => upgrade(box, address, '--check', '--public-key', key.public.line)

  test('it is taken with the signature of a trusted key, over a redirect', async () => {
    await using box = await BinaryBox.make({ installs: true })
    using at = releases({
      '/capture': () => new Response(null, { status: 302, headers: { location: '/there' } }),
      '/there': whole,
      '/capture.minisig': () => signature(),
    })
    const { status, stdout, stderr } = await check(box, at.address)
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringContaining('0.2.0') })
  })

  test.each<[string, Record<string, () => Response | Promise<Response>>, RegExp]>([
    ['without a signature', { '/capture': whole }, /answers 404/],
    [
      'with the signature of a stranger',
      { '/capture.minisig': () => signatureAlone(comment(), newSecretKey()) },
      /which is not trusted/,
    ],
    [
      'that comes incomplete',
      { '/capture': half, '/capture.minisig': () => signature() },
      /not the one that was signed/,
    ],
    [
      'for another machine',
      { '/capture.minisig': () => signatureAlone(comment('0.2.0', 'linux-other')) },
      /is for linux-other/,
    ],
    [
      'that was signed as another version',
      { '/capture': whole, '/capture.minisig': () => signature(comment('0.9.0')) },
      /signed as version 0\.9\.0/,
    ],
    [
      'that is older than the installed version',
      { '/capture.minisig': () => signatureAlone(comment('0.0.9')) },
      /version 0\.0\.9, older than the 0\.1\.0/,
    ],
    [
      'that leads to plain HTTP elsewhere',
      { '/capture.minisig': () => new Response(null, { status: 302, headers: { location: 'http://192.0.2.1/' } }) },
      /no https address/,
    ],
  ])('one is refused %s', async (_, paths, said) => {
    await using box = await BinaryBox.make({ installs: true })
    using at = releases(paths)
    const { status, stderr } = await check(box, at.address)
    expect(stderr).toMatch(said)
    expect(status).toBe(1)
  })

  test('none is believed without a key', async () => {
    await using box = await BinaryBox.make({ installs: true })
    const { status, stderr } = await upgrade(box, 'https://releases.test/capture')
    expect({ status, said: stderr.includes('without a key') }).toEqual({ status: 1, said: true })
  })
})

if (SmallVolume.isPossible('an upgrade without room')) {
  test('without room for the copy of the database it is refused, and nothing is changed', async () => {
    using volume = SmallVolume.mount(24)
    const { box, server } = await servedBox({ dataDir: join(volume.dir, 'data') })
    await using _box = box
    const { status, stderr } = await upgrade(box, later)
    expect(status).toBe(1)
    expect(stderr).toMatch(/must be free on the disk.*Free some space/)
    await expectAsBefore(box, server)
  })
}
