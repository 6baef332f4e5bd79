import { defineCommand } from '../command.ts'

export const domainCheck = defineCommand({
  name: 'domain check',
  summary: 'Checks DNS, CAA records and port 80 of a domain now, and says what to do',
  details: `It waits for the DNS and for port 80 for 15 seconds at most. --now has a running service try again at once; the
authority is asked once every obstacle is gone.
--json prints one object as \`capture domain list\` has it. A name that is not connected to this box ends with 1.`,
  args: { host: { summary: 'a connected domain, or the preview host' } },
  options: { now: { summary: 'make the next attempt due now' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const { runDomainCheck } = await import('./check-run.ts')
    return runDomainCheck({ host: args.host, now: options.now, json }, session)
  },
})
