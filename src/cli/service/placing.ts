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
import { type Ids, run } from './machine.ts'

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
