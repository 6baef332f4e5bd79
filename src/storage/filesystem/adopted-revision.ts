import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Revision } from '../../account/account-store.ts'
import { isAlive } from '../lock/folder-lock.ts'

/** A service, and the box's revision that its visitors see. */
interface Adopted {
  pid: number
  revision: Revision
}

const fileIn = (dataDir: string): string => join(dataDir, 'adopted.json')

/** Tells commands which revision this process serves. */
export const noteAdopted = (dataDir: string, revision: Revision): void =>
  writeFileSync(fileIn(dataDir), JSON.stringify({ pid: process.pid, revision } satisfies Adopted), { mode: 0o600 })

/** The revision that visitors of the running service see; `null`: none seems to run. */
export function adoptedRevision(dataDir: string): Revision | null {
  try {
    const { pid, revision } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Adopted
    return isAlive(pid) ? revision : null
  } catch {
    return null
  }
}
