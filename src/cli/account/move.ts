import { defineCommand, usageError } from '../command.ts'

export const accountMove = defineCommand({
  name: 'account move',
  summary: 'Moves one account to another box: --to a file on this box, --from that file on the other',
  details: `--to FILE writes the account into a file: records, persons and figures, pages with their versions, forms, keys,
deliveries with their secrets, and certificates. This box goes on serving it. --from FILE adds it to the other box, all at once: links,
cookies and previews that were signed before work there. Nothing is sent for records that arrive.
Until DNS leads to the other box, this one goes on capturing; --to FILE --since T writes what it captured since T, and --from adds what
is new of it: run it as often as you like. At the end, run \`capture account remove\` here. docs/moving.md has it step by step.
The file holds personal data, and the keys that sign this box's links and cookies.
--json prints { "account", "file", "since": T|null, "nextSince", "bytes", "createdAt", "assets", "missingAssets", "damagedAssets" }
with --to, and { "account", "arrived": "account"|"records", "createdAt", "records", "assets", "erasedAgain": { "erasures", "records",
"verified", "notDerived" } } with --from.
  capture account move acme --to acme.capture
  capture account move acme --from acme.capture`,
  args: { account: { summary: "the account's handle" } },
  options: {
    to: { value: 'FILE', summary: 'write the account into this file' },
    since: { value: 'T', summary: 'with --to: only records received since' },
    from: { value: 'FILE', summary: 'add the account that is in this file' },
  },
  async run({ args: { account }, options: { to, since, from } }, session) {
    if ((to === undefined) === (from === undefined)) throw usageError('Give either --to FILE or --from FILE.')
    const { runMoveIn, runMoveOut } = await import('./move-run.ts')
    if (to !== undefined) return runMoveOut({ account, file: to, since }, session)
    if (since !== undefined) throw usageError('--since goes with --to: the file tells what is in it.')
    return runMoveIn({ account, file: from ?? '' }, session)
  },
})
