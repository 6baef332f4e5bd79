import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandEnvironment, type Ran } from './capture-command.ts'

const repository = join(import.meta.dir, '../..')
const copied = [
  ...['src', 'drizzle', 'gen/client', 'examples', 'docs'],
  ...['package.json', 'bun.lock', 'tsconfig.json', 'config.example.toml'],
]

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

  /** Gives it another number. Changes to its sources: what is replaced, and by what. */
  change(version: string, edits: [file: string, before: string, after: string][] = []): void {
    this.edit('package.json', '"version": "0.1.0"', `"version": "${version}"`)
    for (const [file, before, after] of edits) this.edit(file, before, after)
  }

  /** Compiles it, changed so. */
  async build(...change: Parameters<LaterVersion['change']>): Promise<string> {
    this.change(...change)
    // They take a fifth of a build, and no upgrade asks for them.
    this.edit('src/build.ts', 'await thirdPartyNotices(await embeddedPackages())', "''")
    const executable = join(this.dir, 'capture')
    const child = Bun.spawn([process.execPath, 'src/build.ts', executable], { cwd: this.dir, stderr: 'pipe' })
    const [complained, status] = await Promise.all([child.stderr.text(), child.exited])
    if (status !== 0) throw new Error(`the later version cannot be built:\n${complained}`)
    return executable
  }

  private edit(file: string, before: string, after: string): void {
    const path = join(this.dir, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(before)) throw new Error(`${file} does not hold ${before}`)
    writeFileSync(
      path,
      text.replace(before, () => after),
    )
  }

  /** The words that start it. */
  get command(): string[] {
    return [process.execPath, join(this.dir, 'src/main.ts')]
  }

  async run(argv: string[], cwd: string): Promise<Ran> {
    const io = { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' } as const
    const child = Bun.spawn([...this.command, ...argv], { cwd, env: commandEnvironment(), ...io })
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
