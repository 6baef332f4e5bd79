import { defineCommand } from '../command.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Checks the configuration, the data folder and the database, and says what to do',
  details: `Exits with 1 for a fault of the box; with --strict for a warning too. Changes nothing, and works beside a running server.
For every connected domain and the preview host it looks up the DNS, connects to the port that printed addresses name, and
reads the certificate, for two seconds at most each. Faults of the network are only warnings.
If this box has the certificates itself, names without one are reported as by \`capture domain list\`, and it warns of a
certificate in the last quarter of its life.
--json prints { "status": "ok"|"warning"|"fault", "checks": [{ "check", "status", "found", "advice": "…"|null }] }.`,
  options: {
    deep: { summary: 'also read and hash all published pages, images, files and assets' },
    strict: { summary: 'end with 1 for a warning too' },
    quiet: { summary: 'print only warnings and faults, as for cron' },
  },
  async run({ options }, session) {
    const { runDoctor } = await import('./doctor-run.ts')
    return runDoctor(options, session)
  },
})
