import { existsSync, readFileSync, statSync } from 'node:fs'
import { OperatorError } from '../../lib/operator-error.ts'
import { shellLine } from '../data-folder/data-owner.ts'
import { below, places, unitName } from './places.ts'

export interface Ids {
  uid: number
  gid: number
}

/** @throws OperatorError when systemd does not run this machine */
export function assertSystemd(): void {
  if (existsSync('/run/systemd/system')) return
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
