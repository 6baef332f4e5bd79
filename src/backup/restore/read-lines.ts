import { type BundleHeader, type Head, ObjectFault } from '../format/bundle-header.ts'
import { readBundle, readHead } from '../format/bundle-reader.ts'
import { type IncrementLine, readLines, type StoredLedgerRow } from '../format/increment-lines.ts'
import type { DataKeys } from '../format/sealing.ts'
import type { BackupTarget } from '../target/backup-target.ts'

/** Where bundles are read from, and the keys that decrypt them. */
export interface Source {
  target: BackupTarget
  keys: DataKeys
}

/** The lines of an increment, or of the erasures beside a base. @throws ObjectFault, WrongIdentity, TargetFault */
export async function* linesOf({ target, keys }: Source, name: string, head: Head): AsyncGenerator<IncrementLine> {
  try {
    yield* readLines(readBundle(target, name, { head, keys }))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new ObjectFault(name, 'is damaged: its lines cannot be read')
    throw error
  }
}

/** Rows of the ledger in a bundle: an increment, or the erasures beside a base. */
export async function* ledgerRowsOf(source: Source, name: string): AsyncGenerator<StoredLedgerRow[]> {
  const kind: BundleHeader['kind'] = name.startsWith('increments/') ? 'increment' : 'list'
  const head = await readHead(source.target, name, kind)
  for await (const line of linesOf(source, name, head)) if ('ledger' in line) yield line.ledger
}
