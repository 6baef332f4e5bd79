import { defineCommand, usageError } from '../command.ts'

export const apply = defineCommand({
  name: 'apply',
  summary: 'Publishes a site folder: creates or updates one account, all at once or not at all',
  details: `The folder holds a site.toml, pages/, img/ and files/. Run twice, the second run changes nothing.
A running server shows the change within a second. A faulty folder changes nothing, and every fault is listed.
Where a term of [retention] gets shorter it says what that makes due; --json then has "retention": { "submissions"|"events"|
"refused": { "due", "nextDueAt": "…"|null } }.
Of domains that are new it prints the DNS records to set; --json then has "dns": [{ "host", "records": [{ "type": "A"|"AAAA",
"value": "…"|null }], "cname": "…"|null }], where a CNAME record may stand instead of the others.`,
  args: { dir: { summary: 'the site folder' } },
  options: {
    dryRun: { summary: 'print what would change, and change nothing' },
    prune: { summary: 'also remove what the folder no longer holds' },
  },
  printsResult: true,
  async run({ args, options, json }, session) {
    if (args.dir === '') throw usageError('DIR is empty: name the site folder, "." for the current one.')
    const { runApply } = await import('./apply-run.ts')
    return runApply({ dir: args.dir, ...options, json }, session)
  },
})
