import { readFile } from 'node:fs/promises'
import { OperatorError } from '../../lib/operator-error.ts'

const identityPattern = /^AGE-SECRET-KEY-[A-Z0-9-]+$/

/** The identities in a file as `age-keygen` writes it: one a line, comments begin with `#`. */
export async function identitiesIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new OperatorError(`The identity file ${file} cannot be read: ${error.message}.`)
  })
  const lines = text.split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => identityPattern.test(line))
  if (identities.length > 0) return identities
  throw new OperatorError(`${file} holds no age identity: a line that begins with AGE-SECRET-KEY-1.`)
}
