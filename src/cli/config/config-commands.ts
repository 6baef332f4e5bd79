import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ClusterConfig } from '../../config/cluster.ts'
import type { Config } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { addressText } from '../../config/values.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand } from '../command.ts'

export const configCheck = defineCommand({
  name: 'config check',
  summary: 'Checks the configuration without starting anything',
  details:
    'Reads the file and the CAPTURE_… environment as `capture serve` would, and lists every fault with its line.',
  async run(_, { loadConfig }) {
    const loaded = await loadConfig()
    return { json: withoutSecrets(loaded), text: verdict(loaded) }
  },
})

function withoutSecrets({ config, ...loaded }: LoadedConfig): LoadedConfig {
  const { https, mail, backup, cluster } = config
  return {
    ...loaded,
    config: {
      ...config,
      https: { ...https, eabHmac: hidden(https.eabHmac) },
      mail: { ...mail, password: hidden(mail.password) },
      backup: { ...backup, s3SecretKey: hidden(backup.s3SecretKey) },
      cluster: cluster && { ...cluster, ...hiddenSecrets(cluster) },
    },
  }
}

const hiddenSecrets = ({ url, secret, s3SecretKey }: ClusterConfig) => ({
  url: withoutPassword(url),
  secret: hidden(secret) ?? '',
  s3SecretKey: hidden(s3SecretKey),
})

/** A password may stand before the host, and behind a question mark as well. */
function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (url === null) return '(not shown)'
  if (url.password !== '') url.password = 'not-shown'
  for (const name of [...url.searchParams.keys()]) if (/password/i.test(name)) url.searchParams.set(name, 'not-shown')
  return url.href
}

const hidden = (secret: string | null): string | null => secret && '(not shown)'

function verdict({ file, config }: LoadedConfig): string {
  const subject = file ?? 'No configuration file was found; the built-in defaults'
  const { listen } = config.operator
  const forOperator = listen === null ? 'not for monitoring' : `for monitoring on ${addressText(listen)}`
  const where = `listening on ${listening(config)}, ${forOperator}`
  return `${subject} can be used: data in ${config.dataDir}, ${where}.`
}

function listening({ server, https }: Config): string {
  const plain = [server.listen, https.mode === 'off' ? null : https.httpListen].filter((address) => address !== null)
  const secure = https.mode === 'off' ? [] : [`${addressText(https.listen)} (https)`]
  return [...plain.map(addressText), ...secure].join(', ')
}

export const configExample = defineCommand({
  name: 'config example',
  summary: 'Prints a configuration file that explains every key',
  details: `For a start; a file that is there already is left as it is:
  capture config example --out capture.toml
--json prints { "toml" }, with --out { "file" }.`,
  options: { out: { value: 'FILE', summary: 'write it to FILE, which must not be there yet' } },
  async run({ options }, { cwd }) {
    const { exampleConfig } = await import('../../config/example.ts')
    if (options.out === undefined) return { json: { toml: exampleConfig }, text: () => exampleConfig }
    const file = resolve(cwd, options.out)
    await writeNewFile(file, exampleConfig)
    return { json: { file }, text: `Every key, with its default, is in ${file}.` }
  },
})

/** @throws OperatorError when the file exists or cannot be written */
async function writeNewFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new OperatorError(`${path} already exists and was not changed. Name another file.`)
    if (code === 'ENOENT') throw new OperatorError(`Cannot write ${path}: there is no folder ${dirname(path)}.`)
    throw new OperatorError(`Cannot write ${path}: ${message}.`)
  }
}
