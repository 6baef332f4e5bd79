import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { packagedExecutable } from '../../release/built-in.ts'
import { type CommandResult, usageError } from '../command.ts'
import { typedCommandLine } from '../data-folder/data-owner.ts'
import type { Session } from '../session.ts'
import { outcomeResult, writeFault } from './install-run.ts'
import {
  assertRoot,
  assertSystemd,
  below,
  carryOut,
  defaultUser,
  isRunning,
  places,
  removal,
  run,
  type Step,
  startsAtBoot,
  unitName,
  userIds,
} from './machine.ts'
import { installedUnit } from './unit.ts'

interface UninstallInput {
  purge: boolean
  root: string | undefined
  dryRun: boolean
}

const words = { done: 'removed', kept: 'was not there', due: 'to be removed' }

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
    return outcomeResult({ root: tree, steps, notes }, words)
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
