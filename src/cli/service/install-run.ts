import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readHostname } from '../../lib/hostname.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { packagedExecutable } from '../../release/packaged-executable.ts'
import { type ExitStatus, usageError } from '../command.ts'
import { typedCommandLine } from '../data-owner.ts'
import type { Session } from '../session.ts'
import { fileSteps, type Installation, serviceStep } from './install-steps.ts'
import { installedUnit } from './installed-unit.ts'
import { assertRoot, assertSystemd, runsFile } from './machine.ts'
import { below, defaultUser, places } from './places.ts'
import { isChanged, type Outcome, printOutcome } from './result.ts'
import { carryOut } from './step.ts'

export interface InstallInput {
  user: string | undefined
  previewHost: string | undefined
  root: string | undefined
  dryRun: boolean
  json: boolean
}

const words = { done: 'done', kept: 'as it was', due: 'to be done' }

/** Files that others read are made so, whatever root's own shell says. */
const filesMask = 0o022

/** `capture service install` (contract-box section 11). @throws OperatorError where this machine cannot have it */
export async function runServiceInstall(input: InstallInput, session: Session): Promise<ExitStatus> {
  const installation = installationOf(input, session)
  if (installation.isThisMachine) {
    assertSystemd()
    if (!input.dryRun) assertRoot(typedCommandLine(session))
  }
  process.umask(filesMask)
  const hadConfig = existsSync(below(installation.tree, places.config))
  const outcome = await install(installation, input)
  if (hadConfig && input.previewHost !== undefined) {
    outcome.notes.push(`${places.config} was there already: --preview-host was not written into it.`)
  }
  await printOutcome(outcome, { json: input.json, words, out: session.out })
  return 0
}

async function install(installation: Installation, { dryRun }: InstallInput): Promise<Outcome> {
  const { tree, isThisMachine } = installation
  try {
    const steps = await carryOut(fileSteps(installation), { dryRun })
    if (!isThisMachine) return { root: tree, steps, notes: dryRun || !isChanged(steps) ? [] : [inTreeNote] }
    const isUnchanged = steps.every(({ what, state }) => state === 'kept' || !startsAnewFor.includes(what))
    const isCurrent = isUnchanged && runsFile(installation.executable)
    const started = await carryOut([serviceStep({ isCurrent })], { dryRun })
    const all = [...steps, ...started]
    return { root: tree, steps: all, notes: dryRun || !isChanged(all) ? [] : nextNotes }
  } catch (error) {
    throw writeFault(error)
  }
}

/** Steps whose change a running service does not notice. */
const startsAnewFor = ['executable', 'unit', 'configuration']

const inTreeNote = `Nothing was started. In the machine: systemctl enable --now capture`
const nextNotes = [
  'The service is ready, and starts with the machine. It listens on what [server] listen in /etc/capture/capture.toml says.',
  'Next: sudo capture apply SITE-FOLDER. How it does: capture service status. Its log: journalctl -u capture',
]

function installationOf(input: InstallInput, { cwd }: Session): Installation {
  const { previewHost, root } = input
  if (root === '') throw usageError('--root is empty: name the folder.')
  const tree = root === undefined ? '/' : resolve(cwd, root)
  const unit = installedUnit(tree)
  const user = input.user ?? unit?.user ?? defaultUser
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(user)) {
    throw usageError(`--user ${user}: a user's name has lower-case letters, digits, "-" and "_" alone.`)
  }
  if (user === 'root') throw usageError('--user root: the service runs as a user of its own. Leave --user out.')
  if (!Bun.isStandaloneExecutable) throw new OperatorError('Only the built executable installs itself: bun run build')
  const source = process.execPath
  const isPackaged = source === below(tree, packagedExecutable)
  return {
    tree,
    isThisMachine: root === undefined,
    user,
    previewHost: previewHost === undefined ? null : hostOf(previewHost),
    source,
    executable: isPackaged ? packagedExecutable : places.executable,
    earlier: unit?.executable ?? null,
  }
}

function hostOf(text: string): string {
  const reading = readHostname(text)
  if ('hostname' in reading) return reading.hostname
  throw usageError(`--preview-host ${text}: expected ${reading.expected}.`)
}

/** What the system refuses, in its own words. */
export function writeFault(error: unknown): unknown {
  const { code, path, message } = error as NodeJS.ErrnoException
  if (code === undefined || error instanceof OperatorError) return error
  return new OperatorError(`Cannot write ${path ?? 'a file'}: ${message}. Free the way, then run this again.`)
}
