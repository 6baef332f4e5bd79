import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Located } from '../lib/toml/shape.ts'
import { keptInTheBox } from './kept-folder.ts'
import { secretCharactersMax, secretFileBytesMax } from './limits.ts'
import type { FolderReport } from './site-faults.ts'

export interface SecretSources {
  /** The site folder, the base of `secret_file`. */
  dir: string
  env: Record<string, string | undefined>
  /**
   * Of a folder that came from another machine, what its environment and files hold: secrets by the keys that ask for them
   * (`bot_check`, `deliveries.crm`). Nothing of this machine is looked at for such a folder. `null`: it lies on this machine.
   */
  sent: Readonly<Record<string, string>> | null
}

interface WrittenSecret {
  secret: string | null
  secret_env: string | null
  secret_file: string | null
}

/**
 * The secret of a key such as `bot_check`. `''`: none is configured. `keptInTheBox`: the one that the box has, as the report says.
 * `null`: the secret could not be read, which has been reported.
 */
export async function secretOf(
  owner: string,
  written: Located<WrittenSecret>,
  sources: SecretSources,
  report: FolderReport,
): Promise<string | null> {
  const given = secretKeys.filter((key) => written.value[key] !== null)
  const [first] = given
  if (first === undefined) return ''
  if (given.length > 1)
    return report.key(written.place(given[1] ?? first), `only one of ${given.join(', ')} can be given`)
  const place = written.place(first)
  const { secret } = written.value
  if (secret !== null) return secret === keptInTheBox ? report.keep({ owner, place, source: null }) : secret
  const fetched = await fetchedSecret(written.value, sources, owner)
  if (fetched === null) return report.keep({ owner, place, source: sourceOf(written.value) })
  const text = fetched.text.trim()
  if (text === '') return report.key(place, fetched.problem)
  if (text.length > secretCharactersMax || /\p{Cc}/u.test(text))
    return report.key(
      place,
      `does not contain a secret: expected one line of at most ${secretCharactersMax} characters`,
    )
  report.fetched.set(owner, text)
  return text
}

export const secretKeys = ['secret', 'secret_env', 'secret_file'] as const

/** Where a secret comes from that does not stand in the file itself: `secret_env ACME_CRM_SECRET`. `null`: it does. */
export function sourceOf({ secret_env: variable, secret_file: file }: WrittenSecret): string | null {
  if (variable !== null) return `secret_env ${variable}`
  return file === null ? null : `secret_file ${file}`
}

interface FetchedSecret {
  text: string
  /** What is wrong when there is no text. */
  problem: string
}

/** `null`: it lies on another machine, which has not sent it. */
async function fetchedSecret(
  { secret_env: variable, secret_file: file }: WrittenSecret,
  { dir, env, sent }: SecretSources,
  owner: string,
): Promise<FetchedSecret | null> {
  const fromFile = async (path: string) => ({
    text: await textOf(path),
    problem: `${file} cannot be read, is empty or too large`,
  })
  if (sent === null) {
    if (variable === null) return fromFile(resolve(dir, file ?? ''))
    return { text: env[variable] ?? '', problem: `the environment variable ${variable} is not set` }
  }
  const text = sent[owner]
  if (text !== undefined) return { text, problem: 'is empty on the machine that sent the folder' }
  const path = resolve(dir, file ?? '')
  const isWithin = file !== null && path.startsWith(`${dir}/`) && (await isFile(path))
  return isWithin ? fromFile(path) : null
}

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isFile() ?? false

/** Empty when the file cannot be read. */
async function textOf(file: string): Promise<string> {
  try {
    const stats = await stat(file)
    return stats.isFile() && stats.size <= secretFileBytesMax ? await readFile(file, 'utf8') : ''
  } catch {
    return ''
  }
}
