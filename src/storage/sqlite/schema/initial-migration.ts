// Makes the initial migration anew from the schema files. Only until the first release: from then on each change of the
// schema is a further migration, made by `bun run generate`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tables } from './tables.ts'

const file = 'drizzle/0000_initial.sql'

const rows = `--> statement-breakpoint
INSERT INTO \`processing\` (\`id\`, \`cursor\`) VALUES (1, 0);--> statement-breakpoint
INSERT INTO \`audit_chain\` (\`id\`, \`anchor_seq\`, \`anchor_hash\`, \`head_seq\`, \`head_hash\`)
VALUES (1, 0, printf('%064d', 0), 0, printf('%064d', 0));--> statement-breakpoint
INSERT INTO \`sqlite_sequence\` (\`name\`, \`seq\`) VALUES ('ledger', 0);
`

rmSync('drizzle', { recursive: true, force: true })
const { exitCode } = Bun.spawnSync(['bun', 'run', 'generate', '--name', 'initial'], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (exitCode !== 0) process.exit(exitCode)
writeFileSync(
  file,
  tables.filter(({ isWithoutRowId }) => isWithoutRowId).reduce(keyed, readFileSync(file, 'utf8').trimEnd()) + rows,
)

function keyed(sql: string, { name }: { name: string }): string {
  const start = sql.indexOf(`CREATE TABLE \`${name}\``)
  const end = sql.indexOf('\n);', start) + '\n)'.length
  return `${sql.slice(0, end)} WITHOUT ROWID${sql.slice(end)}`
}
