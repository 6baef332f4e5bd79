import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { packagedExecutable } from '../../release/built-in.ts'
import { type CommandResult, usageError } from '../command.ts'
import { typedCommandLine } from '../data-folder/data-owner.ts'
import { type Labelled, labelledLines } from '../output/text.ts'
import type { Session } from '../session.ts'
import { freshConfigText, type Installation, type InstallInput, installationOf } from './installation.ts'
import {
  type Access,
  assertRoot,
  assertSystemd,
  below,
  carryOut,
  defaultUser,
  hasAccess,
  holdsText,
  isRunning,
  isSameFile,
  makeUser,
  placeCopy,
  placeFolder,
  places,
  placeText,
  removal,
  root,
  run,
  runsFile,
  type Step,
  type StepResult,
  type StepState,
  setAccess,
  startService,
  startsAtBoot,
  succeeds,
  unitName,
  userIds,
} from './machine.ts'
import { installedUnit, sysctlText, sysusersText, tmpfilesText, unitText } from './unit.ts'

const installedWords = { done: 'done', kept: 'as it was', due: 'to be done' }

/** Overrides root's umask, because other users must be able to read the files. */
const filesMask = 0o022

/** `capture service install` (docs/systemd.md). @throws OperatorError where this machine cannot have it */
export async function runServiceInstall(input: InstallInput, session: Session): Promise<CommandResult> {
  if (input.root === undefined) {
    assertSystemd()
    if (!input.dryRun) assertRoot(typedCommandLine(session))
  }
  const installation = installationOf(input, session)
  process.umask(filesMask)
  const hadConfig = existsSync(below(installation.tree, places.config))
  const outcome = await install(installation, input)
  outcome.notes.push(...(hadConfig ? unwrittenNotes(input) : httpsNotes(installation)))
  return outcomeResult(outcome, installedWords)
}

async function install(installation: Installation, { dryRun }: InstallInput): Promise<ServiceOutcome> {
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

/** Options for a new configuration that were given although one exists. */
function unwrittenNotes({ previewHost, consoleHost, email }: InstallInput): string[] {
  const given = { '--preview-host': previewHost, '--console-host': consoleHost, '--email': email }
  const options = Object.entries(given).flatMap(([option, value]) => (value === undefined ? [] : [option]))
  if (options.length === 0) return []
  return [`${places.config} was there already, and was not changed: ${options.join(' and ')} stayed out of it.`]
}

const httpsNotes = ({ fresh: { httpsHindrance } }: Installation): string[] => [
  httpsHindrance === null
    ? 'HTTPS: each domain gets its certificate when its DNS points here. Their states: capture domain list'
    : `[https] mode is "off", since ${httpsHindrance}. Name this box in that proxy, or free ports 80 and 443, set mode = "auto" in ${places.config} and restart.`,
]

/** Steps whose changes need a restart of the service. */
const startsAnewFor = ['executable', 'unit', 'configuration']

const inTreeNote = `Nothing was started. In the machine: systemctl enable --now capture`
const nextNotes = [
  `The service is ready, and starts with the machine. Its addresses are in ${places.config}.`,
  'Next: sudo capture apply SITE-FOLDER. How it does: capture service status. Its log: journalctl -u capture',
]

/** The system's refusal in its own words. */
function writeFault(error: unknown): unknown {
  const { code, path, message } = error as NodeJS.ErrnoException
  if (code === undefined || error instanceof OperatorError) return error
  return new OperatorError(`Cannot write ${path ?? 'a file'}: ${message}. Fix that, then run this again.`)
}

/** Everything that a service needs before its start, in order of dependency. */
function fileSteps(installation: Installation): Step[] {
  const { tree, user, executable } = installation
  return [
    ...executableSteps(installation),
    ...userSteps(installation),
    configStep(installation),
    dataStep(installation),
    textStep('unit', below(tree, places.unit), unitText({ executable, user })),
    sysctlStep(installation),
  ]
}

/** Files belong to root, or in a user's own tree to that user. */
const byRoot = (mode: number): Access => ({ mode, owner: process.getuid?.() === 0 ? root : null })

/** The package manager owns its file. An executable from an earlier installation would come first on PATH. */
function executableSteps({ tree, source, executable, earlier }: Installation): Step[] {
  const placed = below(tree, places.executable)
  if (executable === places.executable) return [executableStep(placed, source)]
  return earlier === places.executable ? [removal('earlier executable, removed', placed)] : []
}

function executableStep(path: string, source: string): Step {
  return {
    what: 'executable',
    subject: path,
    isDone: async () => hasAccess(path, byRoot(0o755)) && (await isSameFile(source, path)),
    carryOut: async () => {
      if (await isSameFile(source, path)) setAccess(path, byRoot(0o755))
      else placeCopy(path, source, byRoot(0o755))
    },
  }
}

/** Users cannot be created in a tree: systemd does so at the first boot. */
function userSteps({ tree, isThisMachine, user }: Installation): Step[] {
  if (!isThisMachine && userIds(tree, user) === null) {
    return [
      textStep('user, made at boot', below(tree, places.sysusers), sysusersText(user)),
      textStep('owner, set at boot', below(tree, places.tmpfiles), tmpfilesText(user)),
    ]
  }
  return [{ what: 'user', subject: user, isDone: () => userIds(tree, user) !== null, carryOut: () => makeUser(user) }]
}

/** Never changes an existing configuration, only its permissions: the service can read it, and nobody else. */
function configStep({ tree, user, fresh }: Installation): Step {
  const path = below(tree, places.config)
  const access = (): Access => {
    const { mode, owner } = byRoot(0o640)
    return { mode, owner: owner && { uid: owner.uid, gid: userIds(tree, user)?.gid ?? owner.gid } }
  }
  return {
    what: 'configuration',
    subject: path,
    isDone: () => hasAccess(path, access()),
    carryOut: () => {
      if (existsSync(path)) setAccess(path, access())
      else placeText(path, freshConfigText(fresh), access())
    },
  }
}

function dataStep({ tree, user }: Installation): Step {
  const path = below(tree, places.data)
  const access = (): Access => ({ mode: 0o700, owner: process.getuid?.() === 0 ? userIds(tree, user) : null })
  return {
    what: 'data folder',
    subject: path,
    isDone: () => hasAccess(path, access()),
    carryOut: () => placeFolder(path, access()),
  }
}

function textStep(what: string, path: string, text: string): Step {
  return {
    what,
    subject: path,
    isDone: () => holdsText(path, text) && hasAccess(path, byRoot(0o644)),
    carryOut: () => placeText(path, text, byRoot(0o644)),
  }
}

/** Without `sysctl`, the setting takes effect at the next boot. */
function sysctlStep({ tree, isThisMachine }: Installation): Step {
  const path = below(tree, places.sysctl)
  const step = textStep('kernel setting', path, sysctlText)
  return {
    ...step,
    carryOut: async () => {
      await step.carryOut()
      if (isThisMachine) succeeds(['sysctl', '--quiet', '--load', path])
    },
  }
}

/** `isCurrent`: the running service matches the installed files, so it need not be restarted. */
function serviceStep({ isCurrent }: { isCurrent: boolean }): Step {
  return {
    what: 'service',
    subject: unitName,
    isDone: () => isCurrent && isRunning() && startsAtBoot(),
    carryOut: () => {
      run(['systemctl', 'daemon-reload'])
      run(['systemctl', 'enable', '--quiet', unitName])
      startService(isRunning() && !isCurrent ? 'restart' : 'start')
    },
  }
}

interface UninstallInput {
  purge: boolean
  root: string | undefined
  dryRun: boolean
}

const removedWords = { done: 'removed', kept: 'was not there', due: 'to be removed' }

export async function runServiceUninstall(input: UninstallInput, session: Session): Promise<CommandResult> {
  const { purge, root, dryRun } = input
  if (root === '') throw usageError('--root is empty: name the folder.')
  const isThisMachine = root === undefined
  if (isThisMachine) {
    assertSystemd()
    if (!dryRun) assertRoot(typedCommandLine(session))
  }
  const tree = isThisMachine ? '/' : resolve(session.cwd, root)
  try {
    // The package manager removes its own file.
    const isPackaged = installedUnit(tree)?.executable === packagedExecutable
    const steps = await carryOut(uninstallSteps(tree, { purge, isThisMachine, isPackaged }), { dryRun })
    const notes = [
      ...(purge ? [] : [`Kept: ${places.configFolder} and ${places.data}. With --purge they go too.`]),
      ...(isPackaged ? [`Kept: ${packagedExecutable}, which is the package's: sudo apt remove capture`] : []),
    ]
    return outcomeResult({ root: tree, steps, notes }, removedWords)
  } catch (error) {
    throw writeFault(error)
  }
}

/** Reverses the installation: the service first, then its files. */
function uninstallSteps(
  tree: string,
  { purge, isThisMachine, isPackaged }: { purge: boolean; isThisMachine: boolean; isPackaged: boolean },
): Step[] {
  const removed = (what: string, place: string) => removal(what, below(tree, place))
  const reload = isThisMachine ? () => run(['systemctl', 'daemon-reload']) : () => {}
  // A machine made from an image has these files too. Left behind, they would recreate the user at each boot.
  const ofImage = [removed('user, made at boot', places.sysusers), removed('owner, set at boot', places.tmpfiles)]
  return [
    ...(isThisMachine ? [stopStep] : []),
    removal('unit', below(tree, places.unit), reload),
    removed('kernel setting', places.sysctl),
    ...ofImage.filter(({ subject }) => !isThisMachine || existsSync(subject)),
    ...(isPackaged ? [] : [removed('executable', places.executable)]),
    ...[removed('version before', `${places.executable}.previous`)].filter(({ subject }) => existsSync(subject)),
    ...(purge ? [removed('configuration', places.configFolder), removed('data folder', places.data)] : []),
    ...(purge && isThisMachine ? [userStep] : []),
  ]
}

const stopStep: Step = {
  what: 'service',
  subject: unitName,
  isDone: () => !isRunning() && !startsAtBoot(),
  carryOut: () => run(['systemctl', 'disable', '--now', '--quiet', unitName]),
}

/** Removes only the default user: a user given with --user may have other purposes. */
const userStep: Step = {
  what: 'user',
  subject: defaultUser,
  isDone: () => userIds('/', defaultUser) === null,
  carryOut: () => run(Bun.which('userdel') === null ? ['deluser', defaultUser] : ['userdel', defaultUser]),
}

interface ServiceOutcome {
  root: string
  steps: StepResult[]
  notes: string[]
}

const isChanged = (steps: StepResult[]): boolean => steps.some(({ state }) => state !== 'kept')

function outcomeResult({ root, steps, notes }: ServiceOutcome, words: Record<StepState, string>): CommandResult {
  const changed = isChanged(steps)
  const lines = steps.map(({ what, subject, state }): Labelled => [what, `${subject}: ${words[state]}`])
  const sentences = changed ? notes : ['Nothing had to be changed.', ...notes]
  return {
    json: { root, changed, steps, notes },
    text: ({ columns }) => labelledLines(lines, columns) + sentences.map((sentence) => `${sentence}\n`).join(''),
  }
}
