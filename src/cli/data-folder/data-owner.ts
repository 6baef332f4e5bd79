import { statSync } from 'node:fs'
import { OperatorError } from '../../lib/operator-error.ts'
import { userName } from '../../lib/user-name.ts'

interface ProcessUser {
  uid: number
  /** Permanently gives up root's rights. */
  become(uid: number, gid: number): void
}

interface DataOwnerOptions {
  dataDir: string
  user: ProcessUser
  /** The typed command line, for the suggested one. */
  typed: string[]
}

/**
 * Makes sure that written files belong to the data folder's owner (docs/running.md): root becomes the owner, other users are
 * refused. A new folder belongs to the user who creates it.
 *
 * Call it before opening anything in the folder, and after reading files that only root can read.
 */
export function actAsDataOwner({ dataDir, user, typed }: DataOwnerOptions): void {
  const owner = dataOwner(dataDir)
  if (owner === null || owner.uid === user.uid) return
  if (user.uid === 0) user.become(owner.uid, owner.gid)
  else throw refusal(dataDir, { owner: owner.uid, user: user.uid }, typed)
}

export function processUser(): ProcessUser {
  return {
    uid: process.getuid?.() ?? 0,
    become(uid, gid) {
      // Groups first, while the process still has root's rights.
      process.setgroups?.([gid])
      process.setgid?.(gid)
      process.setuid?.(uid)
    },
  }
}

/** This process's command line for use after `sudo`, which drops the environment. */
export function typedCommandLine({ argv, env }: { argv: string[]; env: Record<string, string | undefined> }): string[] {
  const settings = Object.entries(env).filter(([name]) => name.startsWith('CAPTURE_'))
  const prefix = settings.length === 0 ? [] : ['env', ...settings.map(([name, value]) => `${name}=${value ?? ''}`)]
  return [...prefix, ...ownProgram(), ...argv]
}

function ownProgram(): string[] {
  if (!Bun.isStandaloneExecutable) return [process.execPath, Bun.main]
  return [Bun.which('capture') === process.execPath ? 'capture' : process.execPath]
}

/** Whose the data folder is; `null`: there is none yet. */
export function dataOwner(dataDir: string): { uid: number; gid: number } | null {
  try {
    return statSync(dataDir, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EACCES') throw new OperatorError(`The data folder cannot be examined: ${message}.`)
    throw new OperatorError(
      `A folder above the data folder ${dataDir} is closed to this user. Run the command with sudo, or as the user that runs \`capture serve\`.`,
    )
  }
}

function refusal(dataDir: string, ids: { owner: number; user: number }, typed: string[]): OperatorError {
  const owner = userName(ids.owner)
  const asOwner = `  sudo -u ${owner ?? `'#${ids.owner}'`} ${typed.map(quoted).join(' ')}`
  const belongs = `The data folder ${dataDir} belongs to the user ${owner ?? ids.owner}.`
  if (ids.owner !== 0) return new OperatorError(`${belongs} Run the command as that user:\n${asOwner}`)
  const user = userName(ids.user)
  // A trailing colon means the user's own group, which a bare number does not have.
  const recipient = user === null ? String(ids.user) : `${user}:`
  return new OperatorError(
    `${belongs} A command that was run as root probably created it. Give it to the user that will run Capture, such as yourself:\n` +
      `  sudo chown -R ${recipient} ${quoted(dataDir)}\nOr run the command as root, if root will run Capture:\n${asOwner}`,
  )
}

export const shellLine = (words: string[]): string => words.map(quoted).join(' ')

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

interface ActingOwner {
  /** The owner; `null`: the user of the command, because there is no folder yet. */
  begin(): void
  /** Switches back to the user of the command: only root may be able to move the folder. */
  end(): void
}

/**
 * Like `actAsDataOwner`, but reversible for root. The owner's files are only touched with the owner's rights, so that symbolic
 * links in the folder cannot mislead root.
 */
export function actingOwner(options: Omit<DataOwnerOptions, 'user'>): ActingOwner {
  const { uid } = processUser()
  const gid = process.getgid?.() ?? 0
  const groups = process.getgroups?.() ?? []
  return {
    begin() {
      const become = (ownerId: number, groupId: number): void => {
        process.setgroups?.([groupId])
        process.setegid?.(groupId)
        process.seteuid?.(ownerId)
      }
      actAsDataOwner({ ...options, user: { uid, become } })
    },
    end() {
      if (process.geteuid?.() === uid) return
      process.seteuid?.(uid)
      process.setegid?.(gid)
      process.setgroups?.(groups)
    },
  }
}
