import { existsSync } from 'node:fs'
import { freshConfigText } from './fresh-config.ts'
import type { Installation } from './installation.ts'
import { isRunning, makeUser, run, startService, startsAtBoot, succeeds, userIds } from './machine.ts'
import { below, places, unitName } from './places.ts'
import {
  type Access,
  hasAccess,
  holdsText,
  isSameFile,
  placeCopy,
  placeFolder,
  placeText,
  root,
  setAccess,
} from './placing.ts'
import { removal, type Step } from './step.ts'
import { sysctlText, sysusersText, tmpfilesText, unitText } from './unit.ts'

/** Everything that a service needs before its start, in order of dependency. */
export function fileSteps(installation: Installation): Step[] {
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
export function serviceStep({ isCurrent }: { isCurrent: boolean }): Step {
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
