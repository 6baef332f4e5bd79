import { defineCommand } from '../command.ts'

export const backupKey = defineCommand({
  name: 'backup key',
  summary: 'Makes a pair of age keys to encrypt backups with',
  details: `Prints an identity file, as age-keygen does, and the public key on standard error. The public key ("age1…") goes into
[backup] recipients of capture.toml; the identity opens the backups. Keep it in two places, none of them this box: without it
nothing can be restored. Nothing is stored.
--json prints { "identity", "recipient" }.
  capture backup key > capture-backup-key.txt`,
  async run({ json }, { clock }) {
    const { newKeyPair } = await import('../../backup/format/age-file.ts')
    const pair = await newKeyPair()
    const { identity, recipient } = pair
    return {
      json: pair,
      text: [`# created: ${new Date(clock.now()).toISOString()}`, `# public key: ${recipient}`, identity],
      notes: json ? [] : [`Public key: ${recipient}`],
    }
  },
})
