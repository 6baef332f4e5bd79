import { defineCommand } from './command.ts'

export const restore = defineCommand({
  name: 'restore',
  summary: 'Brings back what a backup holds; the data folder that is there is moved aside',
  details: `The file is checked whole before anything changes, and while \`serve\` runs nothing is restored. Links and cookies that were
signed before the backup work again. Until the new folder stands in its place, both need room on the volume.
--json prints { "dataDir", "movedAside": "…"|null, "createdAt", "accounts", "assets", "missingAssets" }.`,
  args: { file: { summary: 'the file that `capture backup` wrote' } },
  options: {},
  printsResult: true,
  async run({ args, json }, session) {
    const { runRestore } = await import('./restore-run.ts')
    return runRestore({ file: args.file, json }, session)
  },
})
