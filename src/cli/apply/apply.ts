import { consentOf } from '../../operations/apply/consent.ts'
import { defineCommand, usageError } from '../command.ts'

export const apply = defineCommand({
  name: 'apply',
  summary: 'Publishes a site folder: creates or updates one account, all at once or not at all',
  details: `The folder holds a site.toml, pages/, img/, files/ and assets/. Run twice, the second run changes nothing.
A running server shows the change within a second. A faulty folder changes nothing, and every fault is listed (status 1).
What takes something away from visitors, or loses data, is harm: without --accept nothing changes (status 3). --json always has
"harm": [{ "kind", "subject", "count", "message" }] and "warnings": [{ "kind", "file", "line", "key", "message" }].
\`capture help publishing\` explains each kind.
If a term of [retention] gets shorter, it says how many records that makes due; --json then has "retention": { "submissions"|"events"|
"refused": { "due", "nextDueAt": "…"|null } }.
It prints the DNS records to set for each new domain; --json then has "dns": [{ "host", "records": [{ "type": "A"|"AAAA",
"value": "…"|null }], "cname": "…"|null }], where a CNAME record may stand instead of the others.
If it replaces changes that were made on the box since the last apply, --json has "changedHere": [{ "what", "at", "by",
"via": "command"|"console"|"api" }].
With --to it publishes to the box of that console, and sends only what that box lacks. The token may stand in the environment
variable CAPTURE_TOKEN instead; it needs the scope "publish".`,
  args: { dir: { summary: 'the site folder' } },
  options: {
    dryRun: { summary: 'print what would change, and change nothing' },
    prune: { summary: 'also remove what is no longer in the folder' },
    accept: { value: 'KIND[,KIND]', summary: 'consent to these kinds of harm, or to "all"' },
    strict: { summary: 'publish nothing if there is a warning' },
    to: { value: 'URL', summary: 'publish to the box of the console at this address' },
    token: { value: 'TOKEN', summary: 'with --to: an API token of that box' },
  },
  async run({ args, options, json }, session) {
    if (args.dir === '') throw usageError('DIR is empty: name the site folder, "." for the current one.')
    const { to, token, accept: typed, ...given } = options
    const request = { dir: args.dir, accept: consentOf(typed ?? ''), json, ...given }
    if (to !== undefined) {
      const { runRemoteApply } = await import('./remote/remote-run.ts')
      return runRemoteApply({ ...request, to, token }, session)
    }
    if (token !== undefined) throw usageError('--token goes with --to: a folder of this machine needs none.')
    const { runApply } = await import('./apply-run.ts')
    return runApply(request, session)
  },
})
