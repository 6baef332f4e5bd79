import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { shellLine } from '../data-folder/data-owner.ts'

interface Ids {
  uid: number
  gid: number
}

const runsSystemd = (): boolean => existsSync('/run/systemd/system')

/** @throws OperatorError when systemd does not run this machine */
export function assertSystemd(): void {
  if (runsSystemd()) return
  throw new OperatorError(
    'systemd does not run this machine: start `capture serve` with your service manager, or write the files into the tree of an image with --root DIR.',
  )
}

/** @throws OperatorError with the command to use instead */
export function assertRoot(typed: string[]): void {
  if (process.getuid?.() === 0) return
  throw new OperatorError(`This needs root's rights. Run: ${shellLine(['sudo', ...typed])}`)
}

/** The user's ids in the tree's /etc/passwd; `null`: no such user. */
export function userIds(tree: string, name: string): Ids | null {
  const file = below(tree, '/etc/passwd')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const [, , uid, gid] = lines.map((line) => line.split(':')).find(([user]) => user === name) ?? []
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) }
}

/** Creates a system user who cannot log in, with the program that this machine has. */
export function makeUser(name: string): void {
  const home = places.data
  if (Bun.which('useradd') !== null) {
    const options = ['--system', '--user-group', '--home-dir', home, '--no-create-home', '--shell', '/usr/sbin/nologin']
    run(['useradd', ...options, name])
  } else if (Bun.which('adduser') !== null) {
    const options = ['--system', '--group', '--home', home, '--no-create-home', '--shell', '/usr/sbin/nologin']
    run(['adduser', ...options, name])
  } else {
    throw new OperatorError(
      `There is neither useradd nor adduser here. Make a system user named ${name}, then run this again.`,
    )
  }
}

/** Runs a system program to its end. @throws OperatorError with its error output */
export function run(words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(words, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  if (exitCode !== 0) throw new OperatorError(`${shellLine(words)} failed: ${stderr.toString().trim() || exitCode}`)
}

export const succeeds = (words: string[]): boolean =>
  Bun.spawnSync(words, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }).exitCode === 0

export const outputOf = (words: string[]): string =>
  Bun.spawnSync(words, { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' }).stdout.toString()

export const isRunning = (): boolean => succeeds(['systemctl', 'is-active', '--quiet', unitName])
export const startsAtBoot = (): boolean => succeeds(['systemctl', 'is-enabled', '--quiet', unitName])

/** The service's process id; 0: not running. */
export const mainPid = (): number =>
  Number(outputOf(['systemctl', 'show', unitName, '--property=MainPID', '--value']).trim())

/** Whether the running service uses the executable now in place, not a replaced one. */
export function runsFile(executable: string): boolean {
  const [running, placed] = [`/proc/${mainPid()}/exe`, executable].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  )
  // Compare files, not names: a rolled back upgrade may have renamed them.
  return running !== undefined && running.ino === placed?.ino && running.dev === placed.dev
}

/** Starts or restarts the service and waits until it is ready. @throws OperatorError with the last lines of its log */
export function startService(verb: 'start' | 'restart'): void {
  if (succeeds(['systemctl', verb, unitName])) return
  const log = outputOf(['journalctl', '--unit', unitName, '--lines', '10', '--no-pager', '--output', 'cat']).trim()
  throw new OperatorError(
    `The service does not start. Its last output:\n${log}\nFix that, then run this again. The whole log: journalctl -u capture`,
  )
}

/** The command that restarts the box with this configuration; `null`: it is not the service of this machine. */
export const restartCommand = (configFile: string | null): string | null =>
  configFile === places.config && existsSync(places.unit) && runsSystemd() ? 'sudo systemctl restart capture' : null

export const unitName = 'capture.service'
export const defaultUser = 'capture'

/** The service's files and folders, as paths inside the tree (docs/systemd.md). */
export const places = {
  executable: '/usr/local/bin/capture',
  configFolder: '/etc/capture',
  config: '/etc/capture/capture.toml',
  data: '/var/lib/capture',
  unit: `/etc/systemd/system/${unitName}`,
  sysctl: '/etc/sysctl.d/60-capture.conf',
  /** Only for the tree of an image, whose users are created at its first boot. */
  sysusers: '/etc/sysusers.d/capture.conf',
  tmpfiles: '/etc/tmpfiles.d/capture.conf',
} as const

export const below = (root: string, place: string): string => join(root, place)

export interface Step {
  /** The subject: `unit`, `data folder`. */
  what: string
  subject: string
  isDone(): Promise<boolean> | boolean
  carryOut(): Promise<void> | void
}

/** `kept`: nothing to do. `due`: to be done, in a dry run. */
export type StepState = 'done' | 'kept' | 'due'

export interface StepResult {
  what: string
  subject: string
  state: StepState
}

/** Runs the pending steps in order and returns each outcome. */
export async function carryOut(steps: Step[], { dryRun }: { dryRun: boolean }): Promise<StepResult[]> {
  const results: StepResult[] = []
  for (const step of steps) {
    const { what, subject } = step
    const isDone = await step.isDone()
    if (!isDone && !dryRun) await step.carryOut()
    results.push({ what, subject, state: isDone ? 'kept' : dryRun ? 'due' : 'done' })
  }
  return results
}

export function removal(what: string, path: string, andThen: () => void = () => {}): Step {
  return {
    what,
    subject: path,
    isDone: () => !existsSync(path),
    carryOut: () => {
      rmSync(path, { recursive: true, force: true })
      andThen()
    },
  }
}

export const root: Ids = { uid: 0, gid: 0 }

/** Owner and permissions. `owner: null`: the user who creates the file. */
export interface Access {
  mode: number
  owner: Ids | null
}

const permissions = 0o7777

export function hasAccess(path: string, { mode, owner }: Access): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || (stat.mode & permissions) !== mode) return false
  return owner === null || (stat.uid === owner.uid && stat.gid === owner.gid)
}

export function setAccess(path: string, { mode, owner }: Access): void {
  if (owner !== null) chownSync(path, owner.uid, owner.gid)
  chmodSync(path, mode)
}

export const holdsText = (path: string, text: string): boolean =>
  existsSync(path) && readFileSync(path, 'utf8') === text

/** Replaces a file atomically. A running program keeps the old one. */
export function placeText(path: string, text: string, access: Access): void {
  placeBy(path, access, (file) => writeFileSync(file, text, { mode: 0o600 }))
}

export function placeCopy(path: string, source: string, access: Access): void {
  placeBy(path, access, (file) => copyFileSync(source, file))
}

function placeBy(path: string, access: Access, write: (file: string) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  const unfinished = join(dirname(path), `.${basename(path)}.unfinished`)
  try {
    rmSync(unfinished, { force: true })
    write(unfinished)
    setAccess(unfinished, access)
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Creates the folder, or gives it with its content to the owner, without following links. */
export function placeFolder(path: string, access: Access): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  mkdirSync(path, { recursive: true, mode: access.mode })
  const { owner } = access
  const stat = statSync(path)
  // chown(1) does not follow links, which the present owner could have placed to mislead root.
  if (owner !== null && (stat.uid !== owner.uid || stat.gid !== owner.gid)) {
    run(['chown', '--recursive', '--no-dereference', `${owner.uid}:${owner.gid}`, path])
  }
  setAccess(path, access)
}

/** Whether two files have the same bytes, compared by hash because executables are large. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = [statSync(one, { throwIfNoEntry: false }), statSync(other, { throwIfNoEntry: false })]
  if (a === undefined || b === undefined || a.size !== b.size) return false
  if (a.ino === b.ino && a.dev === b.dev) return true
  return (await hashOf(one)) === (await hashOf(other))
}

async function hashOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk)
  return hash.digest('hex')
}
