import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEmail } from '../../config/https.ts'
import { readHostname } from '../../lib/hostname.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { packagedExecutable } from '../../release/packaged-executable.ts'
import { usageError } from '../command.ts'
import { isListenedOn, portHolder } from '../serve/port-holder.ts'
import type { Session } from '../session.ts'
import type { FreshConfig } from './fresh-config.ts'
import { installedUnit } from './installed-unit.ts'
import { mainPid } from './machine.ts'
import { below, defaultUser, places } from './places.ts'

export interface InstallInput {
  user: string | undefined
  previewHost: string | undefined
  consoleHost: string | undefined
  email: string | undefined
  root: string | undefined
  dryRun: boolean
}

export interface Installation {
  /** The root folder of this machine or of a future one. */
  tree: string
  /** Whether it is this machine, whose service is started. */
  isThisMachine: boolean
  user: string
  /** For a configuration that is not there yet. */
  fresh: FreshConfig
  /** This program's own file. */
  source: string
  /** The service's executable, as a path inside the tree. */
  executable: string
  /** The executable of the present unit, if any. */
  earlier: string | null
}

/** Checks the options and the machine. @throws OperatorError for impossible ones */
export function installationOf(input: InstallInput, { cwd }: Session): Installation {
  const { previewHost, consoleHost, email, root } = input
  if (root === '') throw usageError('--root is empty: name the folder.')
  const tree = root === undefined ? '/' : resolve(cwd, root)
  const unit = installedUnit(tree)
  const user = input.user ?? unit?.user ?? defaultUser
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(user)) {
    throw usageError(`--user ${user}: a user's name may only have lower-case letters, digits, "-" and "_".`)
  }
  if (user === 'root') throw usageError('--user root: the service needs its own user. Leave --user out.')
  if (!Bun.isStandaloneExecutable) throw new OperatorError('Only the built executable installs itself: bun run build')
  const source = process.execPath
  const isPackaged = source === below(tree, packagedExecutable)
  return {
    tree,
    isThisMachine: root === undefined,
    user,
    fresh: {
      previewHost: previewHost === undefined ? null : hostOf('--preview-host', previewHost),
      consoleHost: consoleHost === undefined ? null : hostOf('--console-host', consoleHost),
      email: email === undefined ? null : emailOf(email),
      // A tree is not running, so its ports count as free.
      httpsHindrance: root === undefined ? httpsHindrance() : null,
      hasIpv6: root !== undefined || existsSync('/proc/net/if_inet6'),
    },
    source,
    executable: isPackaged ? packagedExecutable : places.executable,
    earlier: unit?.executable ?? null,
  }
}

function hostOf(option: string, text: string): string {
  const reading = readHostname(text)
  if ('value' in reading) return reading.value
  throw usageError(`${option} ${text}: expected ${reading.expected}.`)
}

function emailOf(text: string): string {
  const reading = parseEmail(text)
  if ('value' in reading) return reading.value
  throw usageError(`--email ${text}: expected ${'expected' in reading ? reading.expected : 'one e-mail address'}.`)
}

const httpsPorts = [80, 443]

/** The other programs on the HTTPS ports, as part of a sentence; `null`: none. */
export function httpsHindrance(): string | null {
  const taken = httpsPorts.filter(isListenedOn).flatMap((port) => {
    const holder = portHolder(port)
    // The service itself may be running while its configuration is recreated.
    return holder?.pid === mainPid() ? [] : [`port ${port} was held by ${holder?.text ?? 'another program'}`]
  })
  return taken.length === 0 ? null : taken.join(' and ')
}
