import { defineCommand } from '../command.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Writes a verified, consistent copy of everything into one file, also of a running box',
  details: `Data, published pages, images and files, and signing keys; capture.toml and the site folders are not in it. The file is a
tar, encrypted with age where [backup] recipients are configured, and otherwise in the clear; its owner alone can read it; it is read back and checked before it takes the place of an earlier one of its name.
While it is written nothing can be published; capturing goes on. The volume of the file needs room for the
database twice.
Published contents whose bytes are damaged are named, and no backup is made; with --skip-damaged they are left out, the
backup says which, and the exit status is 1. Damaged compressed forms of them are left out in any case.
--json prints { "file", "bytes", "isSealed", "createdAt", "assets", "missingAssets", "damagedAssets": [SHA-256] }.`,
  args: { file: { summary: 'the file to write' } },
  options: {
    skipDamaged: { summary: 'leave out published contents that are damaged, and end with 1 if there are any' },
    quiet: { summary: 'print nothing when all went well, as for cron' },
  },
  async run({ args, options }, session) {
    const { runBackup } = await import('./backup-run.ts')
    return runBackup({ file: args.file, ...options }, session)
  },
})
