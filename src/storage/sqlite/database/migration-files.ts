import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from './connection.ts'

/** One step of the schema. */
export interface Migration {
  /** SHA-256 of its file, by which the database remembers it. */
  hash: string
  /** When it was generated, epoch milliseconds. */
  createdAt: number
  statements: string[]
}

interface Journal {
  entries: { tag: string; when: number }[]
}

/**
 * This program's steps in order, as drizzle-kit wrote them. They are read and recorded as Drizzle's own migrator does,
 * which would load `node:crypto` in every command.
 */
export function readMigrations(): Migration[] {
  const folder = migrationsFolder()
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return { hash: Bun.SHA256.hash(text, 'hex'), createdAt: when, statements: text.split('--> statement-breakpoint') }
  })
}

/** Applies missing steps in one transaction; steps applied by another process meanwhile are not missing. */
export function applyMigrations({ raw }: Connection, migrations: Migration[]): void {
  raw
    .transaction(() => {
      raw.run(
        'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
      )
      const found = raw.query<{ applied: number }, []>('SELECT count(*) AS applied FROM __drizzle_migrations').get()
      for (const { hash, createdAt, statements } of migrations.slice(found?.applied)) {
        for (const statement of statements) raw.run(statement)
        raw.run('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', [hash, createdAt])
      }
    })
    .immediate()
}

/** The folder of SQL files: inside the executable, or the repository's when run from source. */
const migrationsFolder = (): string =>
  Bun.isStandaloneExecutable ? join(import.meta.dir, 'drizzle') : join(import.meta.dir, '../../../../drizzle')
