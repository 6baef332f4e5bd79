import { defineCommand } from '../command.ts'

export const serviceStatus = defineCommand({
  name: 'service status',
  summary: 'Shows the state of the service',
  details: `Ends with 0 while it runs, and with 1 otherwise.
--json prints { "installed", "state", "status", "pid", "since", "startsAtBoot", "restarts" }.`,
  args: {},
  options: {},
  printsResult: true,
  async run({ json }, session) {
    const { runServiceStatus } = await import('./status-run.ts')
    return runServiceStatus(json, session)
  },
})
