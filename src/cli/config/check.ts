import type { Config } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { addressText } from '../../config/values.ts'
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
  const { https, mail, backup } = config
  return {
    ...loaded,
    config: {
      ...config,
      https: { ...https, eabHmac: hidden(https.eabHmac) },
      mail: { ...mail, password: hidden(mail.password) },
      backup: { ...backup, s3SecretKey: hidden(backup.s3SecretKey) },
    },
  }
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
