import { defineCommand } from '../command.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Checks the configuration, the data folder and the database, and says what to do',
  details: `Exits with 1 for a fault of the box; with --strict for a warning too. Changes nothing, and works beside a running server.
It looks up every connected domain and the preview host in the DNS, knocks at the port that printed addresses name, and
reads the certificate there, in two seconds at most for each look; what it finds out there is never more than a warning.
Where this box has the certificates itself, it says of names without one what \`capture domain list\` says, and warns of
a certificate in the last quarter of its life.
--json prints { "status": "ok"|"warning"|"fault", "checks": [{ "check", "status", "found", "advice": "…"|null }] }.`,
  options: {
    deep: { summary: 'also read and hash all published pages, images and files' },
    strict: { summary: 'end with 1 for a warning too' },
    quiet: { summary: 'print only what is not well, as for cron' },
  },
  async run({ options }, session) {
    const { runDoctor } = await import('./doctor-run.ts')
    return runDoctor(options, session)
  },
})
