// Makes the initial migration anew from the schema files. Only until the first release: from then on each change of the
// schema is a further migration, made by `bun run generate`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const file = 'drizzle/0000_initial.sql'

/** Their rows lie in the order of the key. Drizzle has no word for it. */
const withoutRowId = ['day_figure', 'device_entry', 'device_tie', 'touch', 'visitor_day']

const rows = `--> statement-breakpoint
INSERT INTO \`processing\` (\`id\`, \`cursor\`) VALUES (1, 0);--> statement-breakpoint
INSERT INTO \`audit_chain\` (\`id\`, \`anchor_seq\`, \`anchor_hash\`, \`head_seq\`, \`head_hash\`, \`unnumbered\`)
VALUES (1, 0, printf('%064d', 0), 0, printf('%064d', 0), 0);--> statement-breakpoint
INSERT INTO \`sqlite_sequence\` (\`name\`, \`seq\`) VALUES ('ledger', 0);
`

rmSync('drizzle', { recursive: true, force: true })
const { exitCode } = Bun.spawnSync(['bun', 'run', 'generate', '--name', 'initial'], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (exitCode !== 0) process.exit(exitCode)
writeFileSync(file, withoutRowId.reduce(keyed, readFileSync(file, 'utf8').trimEnd()) + rows)

function keyed(sql: string, table: string): string {
  const start = sql.indexOf(`CREATE TABLE \`${table}\``)
  if (start < 0) throw new Error(`${table} is in no schema file.`)
  const end = sql.indexOf('\n);', start) + '\n)'.length
  return `${sql.slice(0, end)} WITHOUT ROWID${sql.slice(end)}`
}
