import { Database } from 'bun:sqlite'
import type { Unshared } from '../../../cluster/joining-anew.ts'

/** Names of acts that a log line has room for. */
const actsMax = 5

/** What a database from before its node joined anew holds, and the present one lacks. */
export function unsharedIn(astrayFile: string, databaseFile: string): Unshared {
  // Its log may have to be read, for which SQLite writes beside it.
  const raw = new Database(astrayFile, { readwrite: true, create: false, strict: true })
  try {
    raw.run('ATTACH ? AS present', [databaseFile])
    return { records: recordsLacking(raw), ...actsLacking(raw) }
  } finally {
    raw.close()
  }
}

/**
 * What a dead leader had not linked was still in the intake: the next one has it by the same id under another number. Links that
 * PostgreSQL lost are among what both may lack.
 */
const recordsLacking = (raw: Database): number =>
  raw
    .query<{ n: number }, []>(
      `WITH shared AS (SELECT coalesce(max(sequence), 0) AS sequence FROM (
         SELECT sequence FROM main.ledger old JOIN present.ledger now USING (sequence)
         WHERE now.id = old.id AND sequence <= (SELECT linked_to FROM main.cluster_position)
         ORDER BY sequence DESC LIMIT 1))
       SELECT count(*) AS n FROM main.ledger old, shared WHERE old.sequence > shared.sequence AND (kind, id) NOT IN (
         SELECT kind, id FROM present.ledger now, shared WHERE now.sequence > shared.sequence)`,
    )
    .get()?.n ?? 0

/** Each of an operator's changes has a line in the audit log. */
function actsLacking(raw: Database): Pick<Unshared, 'changes' | 'acts'> {
  const rows = raw
    .query<{ action: string }, []>(
      `SELECT action FROM main.audit_entry
       WHERE seq > coalesce((SELECT anchor_seq FROM present.audit_chain), 0)
         AND id NOT IN (SELECT id FROM present.audit_entry) ORDER BY seq`,
    )
    .all()
  return { changes: rows.length, acts: [...new Set(rows.map(({ action }) => action))].slice(0, actsMax) }
}
