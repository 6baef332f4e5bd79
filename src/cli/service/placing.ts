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

/** Who owns a thing and what they may do with it. `owner: null`: whoever makes it. */
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

/** Puts a file in its place at once: nobody sees half of it, and a running program keeps the old one. */
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

/** Makes the folder, or gives it with all it holds to its owner. Links are not followed. */
export function placeFolder(path: string, access: Access): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  mkdirSync(path, { recursive: true, mode: access.mode })
  const { owner } = access
  const stat = statSync(path)
  // Whoever owns it until now must not be able to lead this astray by links: chown(1) sees to that.
  if (owner !== null && (stat.uid !== owner.uid || stat.gid !== owner.gid)) {
    run(['chown', '--recursive', '--no-dereference', `${owner.uid}:${owner.gid}`, path])
  }
  setAccess(path, access)
}

/** Whether two files hold the same bytes; compared by hash, since executables are large. */
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
