import type { StoredValue } from '../../../backup/format/increment-lines.ts'
import { storedJson } from '../database/damage.ts'
import type { LinkedRemovals } from '../forgetting/followed-removal.ts'
import { decisionKinds } from '../ledger/ledger-codec.ts'
import type { linkedRemoval } from '../schema/cluster-schema.ts'
import type { LinkLine } from './link-body.ts'

type NoteRow = { [Column in keyof typeof linkedRemoval.$inferSelect]: StoredValue }

/** What a link says of removals; `null`: nothing. */
export function removalsIn(lines: readonly LinkLine[]): LinkedRemovals | null {
  const rows = lines
    .flatMap((line) => ('ledger' in line ? line.ledger : []))
    .filter(([, , kind]) => kind === decisionKinds.erasure)
    .map(([, accountRow, kind, id, receivedAt, record, checksum]) => ({
      ...{ accountRow, kind, id, receivedAt, record, checksum },
    }))
  const notes = lines.flatMap(notesIn)
  const persons = notes.flatMap(({ person }) => {
    if (typeof person !== 'string') return []
    const [accountRow, id] = storedJson<[number, string]>(person)
    return [{ accountRow, id }]
  })
  const expired = notes.flatMap(({ expired }) => (typeof expired === 'string' ? storedJson<number[]>(expired) : []))
  return rows.length + persons.length + expired.length === 0 ? null : { rows, persons, expired }
}

function notesIn(line: LinkLine): NoteRow[] {
  if (!('rows' in line) || line.table !== 'linked_removal') return []
  return line.rows.map(([row, ...values]) => ({
    row,
    ...(Object.fromEntries(line.columns.map((name, at) => [name, values[at]])) as Omit<NoteRow, 'row'>),
  }))
}
