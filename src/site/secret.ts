import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Located } from '../lib/toml/shape.ts'
import { secretCharactersMax, secretFileBytesMax } from './limits.ts'
import type { FolderReport } from './site-faults.ts'

export interface SecretSources {
  /** The site folder, the base of `secret_file`. */
  dir: string
  env: Record<string, string | undefined>
}

export interface WrittenSecret {
  secret: string | null
  secret_env: string | null
  secret_file: string | null
}

/** `''`: none is configured. `null`: the secret could not be read, which has been reported. */
export async function secretOf(
  written: Located<WrittenSecret>,
  sources: SecretSources,
  report: FolderReport,
): Promise<string | null> {
  const { secret, secret_env: variable, secret_file: file } = written.value
  const given = (['secret', 'secret_env', 'secret_file'] as const).filter((key) => written.value[key] !== null)
  const [first] = given
  if (first === undefined) return ''
  if (given.length > 1)
    return report.key(written.place(given[1] ?? first), `only one of ${given.join(', ')} can be given`)
  const place = written.place(first)
  if (secret !== null) return secret
  const fetched =
    variable !== null
      ? { text: sources.env[variable] ?? '', problem: `the environment variable ${variable} is not set` }
      : {
          text: await textOf(resolve(sources.dir, file ?? '')),
          problem: `${file} cannot be read, is empty or too large`,
        }
  const text = fetched.text.trim()
  if (text === '') return report.key(place, fetched.problem)
  if (text.length <= secretCharactersMax && !/\p{Cc}/u.test(text)) return text
  return report.key(place, `does not contain a secret: expected one line of at most ${secretCharactersMax} characters`)
}

/** Empty when the file cannot be read. */
async function textOf(file: string): Promise<string> {
  try {
    const stats = await stat(file)
    return stats.isFile() && stats.size <= secretFileBytesMax ? await readFile(file, 'utf8') : ''
  } catch {
    return ''
  }
}
