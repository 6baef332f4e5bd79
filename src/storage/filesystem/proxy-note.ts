import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UntrustedProxy } from '../../operations/refusals/proxy-note.ts'

const noteName = 'untrusted-proxy.json'
const noteCharactersMax = 1000

/** What a running server noted in its data folder; `null`: nothing readable. */
export async function readProxyNote(dataDir: string): Promise<UntrustedProxy | null> {
  const text = await readFile(join(dataDir, noteName), 'utf8').catch(() => '')
  try {
    const { peer, seenAt } = JSON.parse(text.slice(0, noteCharactersMax)) as Record<string, unknown>
    return typeof peer === 'string' && typeof seenAt === 'string' ? { peer, seenAt } : null
  } catch {
    return null
  }
}

export const writeProxyNote = (dataDir: string, note: UntrustedProxy): Promise<void> =>
  writeFile(join(dataDir, noteName), JSON.stringify(note))
