import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BotCheckSettings } from '../account/account.ts'
import { secretCharactersMax, secretFileBytesMax } from './limits.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenBotCheck } from './site-schema.ts'

export interface SecretSources {
  /** The site folder, which `secret_file` is relative to. */
  dir: string
  env: Record<string, string | undefined>
}

/** The bot check with its secret fetched. `requiredAnywhere`: the account or one of its forms asks for it. */
export async function botCheckSettings(
  written: WrittenBotCheck,
  sources: SecretSources & { requiredAnywhere: boolean },
  report: FolderReport,
): Promise<BotCheckSettings> {
  const { provider, sitekey, required, verify_url: verifyUrl, difficulty } = written.value
  const secret = await secretOf(written, sources, report)
  if (provider === 'altcha') {
    if (verifyUrl !== null) report.warn(written.place('verify_url'), 'is not used: altcha is verified on this box')
  } else if (sources.requiredAnywhere) {
    if (sitekey === '')
      report.key(written.place('sitekey'), `${provider} needs a sitekey where a bot check is required`)
    if (secret === '')
      report.key(
        written.place('secret'),
        `${provider} needs secret, secret_env or secret_file where a bot check is required`,
      )
  }
  return { provider, sitekey, secret: secret ?? '', required, verifyUrl, difficulty }
}

/** Empty: none is configured. `null`: the one that is cannot be had, and that is reported. */
async function secretOf(
  written: WrittenBotCheck,
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
  return report.key(place, `what it names is no secret: expected one line of at most ${secretCharactersMax} characters`)
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
