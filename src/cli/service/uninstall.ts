import { defineCommand } from '../command.ts'

export const serviceUninstall = defineCommand({
  name: 'service uninstall',
  summary: 'Stops the service and removes it from this machine',
  details: `The configuration and everything captured stay, unless --purge is given: what it removes comes back from a backup alone.
--json prints { "root", "changed", "steps": [{ "what", "subject", "state": "done"|"kept"|"due" }], "notes" }.`,
  args: {},
  options: {
    purge: { summary: 'also remove the configuration, the user, and all that was captured' },
    root: { value: 'DIR', summary: 'the folder that `service install --root` wrote to' },
    dryRun: { summary: 'print what would be removed, and remove nothing' },
  },
  printsResult: true,
  async run({ options, json }, session) {
    const { runServiceUninstall } = await import('./uninstall-run.ts')
    return runServiceUninstall({ ...options, json }, session)
  },
})
