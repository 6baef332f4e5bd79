import { statSync } from 'node:fs'
import { OperatorError } from '../../lib/operator-error.ts'
import { userName } from '../../lib/user-name.ts'

/** The user that this process runs as. */
export interface ProcessUser {
  uid: number
  /** Gives up the rights of root for good. */
  become(uid: number, gid: number): void
}

export interface DataOwnerOptions {
  dataDir: string
  user: ProcessUser
  /** The command line that was typed, for the one to use instead. */
  typed: string[]
}

/**
 * Makes sure that what the command writes belongs to the data folder's owner (contract section 1): root becomes the
 * owner, anyone else who is not the owner is refused. A folder that is not there yet will be its maker's.
 *
 * To be called before anything in the folder is opened; whatever only root may read has to be read before.
 */
export function actAsDataOwner({ dataDir, user, typed }: DataOwnerOptions): void {
  const owner = ownerOf(dataDir)
  if (owner === null || owner.uid === user.uid) return
  if (user.uid === 0) user.become(owner.uid, owner.gid)
  else throw refusal(dataDir, { owner: owner.uid, user: user.uid }, typed)
}

/** The user of this very process. */
export function processUser(): ProcessUser {
  return {
    uid: process.getuid?.() ?? 0,
    become(uid, gid) {
      // Groups first: without root's rights they could no longer be changed.
      process.setgroups?.([gid])
      process.setgid?.(gid)
      process.setuid?.(uid)
    },
  }
}

/** The command line of this very process, as it can be typed after `sudo`, which passes no environment on. */
export function typedCommandLine({ argv, env }: { argv: string[]; env: Record<string, string | undefined> }): string[] {
  const settings = Object.entries(env).filter(([name]) => name.startsWith('CAPTURE_'))
  const prefix = settings.length === 0 ? [] : ['env', ...settings.map(([name, value]) => `${name}=${value ?? ''}`)]
  return [...prefix, ...ownProgram(), ...argv]
}

function ownProgram(): string[] {
  if (!Bun.isStandaloneExecutable) return [process.execPath, Bun.main]
  return [Bun.which('capture') === process.execPath ? 'capture' : process.execPath]
}

function ownerOf(dataDir: string): { uid: number; gid: number } | null {
  try {
    return statSync(dataDir, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EACCES') throw new OperatorError(`The data folder cannot be looked at: ${message}.`)
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
  // The group of a user's own is what a colon stands for; a number alone has none.
  const recipient = user === null ? String(ids.user) : `${user}:`
  return new OperatorError(
    `${belongs} Most likely a command that was run as root made it. Give it to the user that is to run Capture, such as yourself:\n` +
      `  sudo chown -R ${recipient} ${quoted(dataDir)}\nOr run the command as root, if root is to run Capture:\n${asOwner}`,
  )
}

/** The words as they can be typed into a shell. */
export const shellLine = (words: string[]): string => words.map(quoted).join(' ')

/** Quoted for a shell where it has to be. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
