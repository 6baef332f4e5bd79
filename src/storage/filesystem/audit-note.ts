import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const noteName = 'audit-logged.json'

/** Up to which line a server has logged the audit log; `null`: nothing readable. */
export async function readAuditNote(dataDir: string): Promise<number | null> {
  try {
    const { seq } = JSON.parse(await readFile(join(dataDir, noteName), 'utf8')) as Record<string, unknown>
    return Number.isSafeInteger(seq) ? (seq as number) : null
  } catch {
    return null
  }
}

export const writeAuditNote = (dataDir: string, seq: number): Promise<void> =>
  writeFile(join(dataDir, noteName), JSON.stringify({ seq }))
