import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBundle, readHead } from '../../src/backup/format/bundle.ts'
import { readLines, type StateRows } from '../../src/backup/format/increment-lines.ts'
import { listBases, listIncrements } from '../../src/backup/format/object-names.ts'
import { DataKeys } from '../../src/backup/format/sealing.ts'
import type { BackupTarget } from '../../src/backup/target/backup-target.ts'
import { stateTables } from '../../src/storage/sqlite/schema/tables.ts'

/** All rows of the ledger and of the state's tables, with their numbers. */
export type Contents = Record<string, unknown[]>

export function contentsOf(raw: Database): Contents {
  const tables = ['ledger', ...stateTables]
  return Object.fromEntries(
    tables.map((table) => [table, raw.query(`SELECT rowid AS number, * FROM "${table}" ORDER BY rowid`).all()]),
  )
}

/**
 * What the objects of a target say, put together by the rules of docs/decisions/0058 alone: the first base of the latest
 * history, and every increment of that behind it.
 */
export async function assembled(target: BackupTarget, identities: string[] = []): Promise<Contents> {
  const keys = new DataKeys(identities)
  const bases = await listBases(target)
  const base = bases.find(({ history }) => history === bases.at(-1)?.history)
  if (base === undefined) throw new Error('there is no base')
  const dir = mkdtempSync(join(tmpdir(), 'capture-assembled-'))
  try {
    const head = await readHead(target, base.name, 'base')
    const chunks = await Array.fromAsync(readBundle(target, base.name, { head, keys }))
    writeFileSync(join(dir, 'capture.db'), Buffer.concat(chunks))
    const raw = new Database(join(dir, 'capture.db'), { strict: true })
    raw.run('PRAGMA synchronous = OFF')
    raw.run('BEGIN')
    let reached = base.to
    for await (const { name, history, from, to } of listIncrements(target, base.at)) {
      if (history !== base.history) continue
      if (from > reached) throw new Error(`there is a gap from ${reached} to ${from}`)
      reached = Math.max(reached, to)
      await putIn(raw, readBundle(target, name, { head: await readHead(target, name, 'increment'), keys }))
    }
    const contents = contentsOf(raw)
    raw.run('ROLLBACK')
    raw.close()
    return contents
  } finally {
    rmSync(dir, { recursive: true })
  }
}

async function putIn(raw: Database, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const line of readLines(chunks)) {
    if ('tables' in line) for (const table of line.tables) raw.run(`DELETE FROM "${table}"`)
    else if ('ledger' in line) {
      const put = raw.query('INSERT OR IGNORE INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?)')
      for (const row of line.ledger) put.run(...row)
    } else if ('table' in line) putRows(raw, line)
  }
}

function putRows(raw: Database, { table, columns, first, last, rows }: StateRows): void {
  raw.run(`DELETE FROM "${table}" WHERE rowid BETWEEN ? AND ?`, [first, last])
  const names = ['rowid', ...columns.map((name) => `"${name}"`)]
  const put = raw.query(`INSERT INTO "${table}" (${names.join()}) VALUES (${names.map(() => '?').join()})`)
  for (const row of rows)
    put.run(
      ...row.map((value) => (value !== null && typeof value === 'object' ? Uint8Array.fromBase64(value.bytes) : value)),
    )
}
