import { defineCommand } from '../command.ts'

export const backupNow = defineCommand({
  name: 'backup now',
  summary: 'Sends the whole box to its backup targets now',
  details: `Sends to every target in [backup] to of capture.toml, or to the one that --to names. A running server goes on meanwhile, also with what
it sends there. A target that another box writes to is refused, and the exit status is 1. So is one that another copy of this box
writes to, unless --take-over says that the copy is gone for good.
--json prints [{ "kind": "base", "at", "from", "to", "bytes", "target", "missingAssets" }], one for each target that got it.
  capture backup now --to s3://bucket/prefix`,
  args: {},
  options: {
    to: { value: 'TARGET', summary: 'only this target' },
    takeOver: { summary: 'write where another copy of this box did, which then no longer may' },
    quiet: { summary: 'print nothing when all went well, as for cron' },
  },
  printsResult: true,
  async run({ options, json }, session) {
    const { runBackupNow } = await import('./now-run.ts')
    return runBackupNow({ ...options, json }, session)
  },
})
