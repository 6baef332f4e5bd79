import { defineCommand } from '../command.ts'

export const serviceUninstall = defineCommand({
  name: 'service uninstall',
  summary: 'Stops the service and removes it from this machine',
  details: `Keeps the configuration and everything captured. --purge deletes them; only a backup brings them back.
--json prints { "root", "changed", "steps": [{ "what", "subject", "state": "done"|"kept"|"due" }], "notes" }.`,
  options: {
    purge: { summary: 'also remove the configuration, the user, and all that was captured' },
    root: { value: 'DIR', summary: 'the folder that `service install --root` wrote to' },
    dryRun: { summary: 'print what would be removed, and remove nothing' },
  },
  async run({ options }, session) {
    const { runServiceUninstall } = await import('./uninstall-run.ts')
    return runServiceUninstall(options, session)
  },
})
