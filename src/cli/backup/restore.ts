import { defineCommand } from '../command.ts'

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Brings back what a backup holds; the data folder that is there is moved aside',
  details: `The file is checked whole before anything changes, and while \`serve\` runs nothing is restored. Links and cookies that were
signed before the backup work again. Until the new folder is in place, the volume needs space for both.
A snapshot that an upgrade left in data/snapshots is restored with the published contents of the folder that is there.
People who were erased after the file was written are erased again, by the log of the present folder or of the one that the
latest restore moved aside. It reports what else came after the file: records that are only in the folder moved aside,
removals, releases and refusals that are undone.
From a target ([backup] to) it restores the latest moment, or that of --until, out of a base and its increments. If an object
is missing or damaged, it names the object and restores nothing. The target has the log of erasures up to now.
--json prints { "dataDir", "movedAside": "…"|null, "from": "backup"|"snapshot"|"target", "createdAt", "accounts",
"records": { "submissions", "events", "pageViews", "clicks", "others" }, "assets",
"missingAssets", "damagedAssets": [SHA-256], "leftBehind": { "submissions", "events", "pageViews", "clicks", "others", "accounts": [handle] }|null,
"undone": { "removedAccounts": [handle], "releases": [{ "account", "submissionId" }], "refusals": [alike] }|null,
"comparedWith": "…"|null,
"notCompared": "…"|null, "erasedAgain": { "erasures", "records", "verified", "notDerived" }|null, "erasuresUnknown": "…"|null };
"notDerived" counts devices that could not be derived again; what is null is not known, and "notCompared" and "erasuresUnknown"
say why.`,
  args: { file: { summary: 'the file that `capture backup` wrote, a snapshot, or a target: file:///…, s3://…' } },
  options: {
    until: { value: 'T', summary: 'of a target: the moment to restore (default: the latest)' },
    identity: { value: 'FILE', summary: 'the file with the age identity that opens an encrypted backup' },
  },
  async run({ args, options: { until, identity } }, session) {
    const { runRestore } = await import('./restore-run.ts')
    return runRestore({ from: args.file, until, identity }, session)
  },
})
