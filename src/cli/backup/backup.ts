import { defineCommand } from '../command.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Writes a verified, consistent copy of everything into one file, also of a running box',
  details: `The file has records, published pages, images, files and assets, and signing keys, but not capture.toml and the site
folders. It is a tar, encrypted with age if [backup] recipients are configured, and otherwise in the clear; only its owner can
read it. It replaces an earlier one of its name once it has been read back and checked.
Meanwhile nothing can be published; capturing goes on. The file's volume needs room for two copies of the database.
If published contents are damaged, it names them and makes no backup; with --skip-damaged it leaves them out, lists them in
the backup, and ends with exit status 1. Damaged compressed forms are always left out.
--json prints { "file", "bytes", "isSealed", "createdAt", "assets", "missingAssets", "damagedAssets": [SHA-256] }.`,
  args: { file: { summary: 'the file to write' } },
  options: {
    skipDamaged: { summary: 'leave out published contents that are damaged, and end with 1 if there are any' },
    quiet: { summary: 'print nothing on success, as for cron' },
  },
  async run({ args, options }, session) {
    const { runBackup } = await import('./backup-run.ts')
    return runBackup({ file: args.file, ...options }, session)
  },
})

export const backupKey = defineCommand({
  name: 'backup key',
  summary: 'Makes a pair of age keys to encrypt backups with',
  details: `Prints an identity file, as age-keygen does, and the public key on standard error. The public key ("age1…") goes into
[backup] recipients of capture.toml; the identity opens the backups. Keep it in two places, none of them this box: without it
nothing can be restored. Nothing is stored.
--json prints { "identity", "recipient" }.
  capture backup key > capture-backup-key.txt`,
  async run({ json }, { clock }) {
    const { newKeyPair } = await import('../../backup/format/sealing.ts')
    const pair = await newKeyPair()
    const { identity, recipient } = pair
    return {
      json: pair,
      text: [`# created: ${new Date(clock.now()).toISOString()}`, `# public key: ${recipient}`, identity],
      notes: json ? [] : [`Public key: ${recipient}`],
    }
  },
})
