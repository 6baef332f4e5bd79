import { defineCommand, usageError } from '../command.ts'

export const upgrade = defineCommand({
  name: 'upgrade',
  summary: 'Puts another version in the place of this one, without losing a request',
  details: `FROM is a file, or an https address with its signature at ADDRESS.minisig. The new version is run on a copy of
the database first; then it takes this executable's place, and the running service hands over to it. If it is not ready within
60 s, or ends while it is watched, everything is as before. The previous version stays next to the new one as NAME.previous.
  sudo capture upgrade ./capture-0.2.0 --check
  sudo capture upgrade ./capture-0.2.0
  sudo capture upgrade --rollback
--json prints { "state": "upgraded"|"checked"|"current", "from", "to", "executable", "previous", "service", "notes" }.`,
  args: { from: { summary: 'the new executable: a file, or an address', optional: true } },
  options: {
    check: { summary: 'try everything that changes nothing, and say how it went' },
    rollback: { summary: 'go back to the previous version' },
    watch: { value: 'SECONDS', summary: 'how long the new version is watched once it is ready (default: 60)' },
    publicKey: { value: 'KEY', summary: 'also trust signatures of this minisign key' },
  },
  async run({ args: { from }, options }, session) {
    if ((from === undefined) !== options.rollback) throw usageError('Name the new executable, or say --rollback.')
    const { runUpgrade } = await import('./run.ts')
    const { check, publicKey, watch = '60' } = options
    if (!/^\d{1,4}$/.test(watch) || Number(watch) > 3600) throw usageError('--watch: expected seconds, 3600 at most.')
    return runUpgrade({ from: from ?? null, check, publicKey, watchSeconds: Number(watch) }, session)
  },
})
