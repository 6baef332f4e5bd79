import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'

/** Writes a new file. @throws OperatorError when the file exists or cannot be written */
export async function writeNewFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new OperatorError(`${path} already exists and was not changed. Name another file.`)
    if (code === 'ENOENT') throw new OperatorError(`Cannot write ${path}: there is no folder ${dirname(path)}.`)
    throw new OperatorError(`Cannot write ${path}: ${message}.`)
  }
}
