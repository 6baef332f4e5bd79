import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newShortId } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { sealKeyBytes, sealKeyName, sealKeyOf, sealKeyText } from '../../lib/seal.ts'
import { newSecret } from '../../lib/sign.ts'
import { syncPathNow } from './synced.ts'

/** The key that seals the secrets of the database. May be a symbolic link to a file elsewhere. */
export const sealKeyFile = (databaseFile: string): string => join(dirname(databaseFile), sealKeyName)

/** The key in the file, one line of base64; `null`: there is no file. @throws OperatorError when it cannot be read */
export function readSealKey(file: string): Uint8Array | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new OperatorError(`The sealing key ${file} cannot be read: ${(error as Error).message}.`)
  }
  const key = sealKeyOf(text)
  if (key !== null) return key
  throw new OperatorError(`${file} is not a sealing key: expected one line of base64 that holds ${sealKeyBytes} bytes.`)
}

/** Makes the key, unless another process has just made it; returns the key in the file. */
export function makeSealKey(file: string): Uint8Array {
  writeSealKey(file, newSecret(sealKeyBytes))
  const key = readSealKey(file)
  if (key === null)
    throw new OperatorError(
      `The sealing key ${file} is a link to a missing file. Put the file back, or remove the link.`,
    )
  return key
}

/** Writes the key durably, whole or not at all, unless the file is there already. */
export function writeSealKey(file: string, key: Uint8Array): void {
  const unfinished = `${file}.${newShortId()}`
  const descriptor = openSync(unfinished, 'wx', 0o600)
  try {
    writeFileSync(descriptor, sealKeyText(key))
    fsyncSync(descriptor)
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(descriptor)
    rmSync(unfinished, { force: true })
  }
  syncPathNow(dirname(file))
}
