import { defineCommand } from '../command.ts'

export const backupList = defineCommand({
  name: 'backup list',
  summary: 'Lists the moments that can be restored from the backup targets',
  details: `Oldest first. A base is the whole box; an increment is what was new since the previous one. It needs neither a box nor an identity:
capture.toml with [backup] to and the keys of the bucket are enough.
--json prints [{ "kind": "base"|"increment", "at", "from", "to", "bytes", "target" }]; "from" and "to" are positions in the
order of capture, and an increment begins where the previous one ends.`,
  args: {},
  options: { to: { value: 'TARGET', summary: 'only this target' } },
  printsResult: true,
  async run({ options, json }, session) {
    const { runBackupList } = await import('./list-run.ts')
    return runBackupList({ to: options.to, json }, session)
  },
})
