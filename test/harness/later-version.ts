import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bareEnvironment, type Ran } from './capture-command.ts'

const repository = join(import.meta.dir, '../..')
const copied = ['src', 'drizzle', 'gen', 'examples', 'package.json', 'tsconfig.json', 'config.example.toml']

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

/** A version of the program that knows migrations which this one does not. */
export class LaterVersion {
  private constructor(private readonly dir: string) {}

  /** Copies the sources into an empty folder and adds a migration of each of the SQL texts. */
  static make(dir: string, migrations: string[]): LaterVersion {
    mkdirSync(dir)
    for (const name of copied) cpSync(join(repository, name), join(dir, name), { recursive: true })
    symlinkSync(join(repository, 'node_modules'), join(dir, 'node_modules'))
    const journalFile = join(dir, 'drizzle/meta/_journal.json')
    const journal: Journal = JSON.parse(readFileSync(journalFile, 'utf8'))
    for (const sql of migrations) addMigration(join(dir, 'drizzle'), journal, sql)
    writeFileSync(journalFile, JSON.stringify(journal))
    return new LaterVersion(dir)
  }

  /** The words that start it. */
  get command(): string[] {
    return [process.execPath, join(this.dir, 'src/main.ts')]
  }

  async run(argv: string[], cwd: string): Promise<Ran> {
    const io = { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' } as const
    const child = Bun.spawn([...this.command, ...argv], { cwd, env: bareEnvironment(), ...io })
    const [stdout, stderr, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { status, stdout, stderr }
  }
}

function addMigration(dir: string, { entries }: Journal, sql: string): void {
  const last = entries.at(-1)
  if (last === undefined) throw new Error('the journal of migrations is empty')
  const idx = last.idx + 1
  const tag = `${String(idx).padStart(4, '0')}_later`
  writeFileSync(join(dir, `${tag}.sql`), sql)
  entries.push({ ...last, idx, tag, when: last.when + 1000 })
}
