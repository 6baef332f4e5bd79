import type { SitePublication } from '../../../site/site-store.ts'
import type { Connection } from '../database/connection.ts'
import { eachKey, keyPart } from '../lookup/many-keys.ts'

/** One publication's forms, ready to be written. */
export interface FormChanges {
  /** JSON, as one parameter: `[[id, definition], …]`. */
  written: string
  /** JSON: `[id, …]`. */
  withdrawn: string
  createdAt: number
}

/** The part that needs no write lock. */
export const formChanges = ({ forms, withdrawnForms, publishedAt }: SitePublication): FormChanges => ({
  written: JSON.stringify(forms.map(({ id, ...definition }) => [id, JSON.stringify(definition)])),
  withdrawn: JSON.stringify(withdrawnForms),
  createdAt: publishedAt,
})

/** Two statements, however many forms there are: a site may have 1,000. Call inside the publishing transaction. */
export function writeForms({ raw }: Connection, accountRow: number, changes: FormChanges): void {
  raw
    .query<null, [string, number, number]>(
      `INSERT INTO form (account_row, id, version, definition, withdrawn, created_at)
       SELECT ?2, ${keyPart(0)},
         (SELECT coalesce(max(version), 0) + 1 FROM form WHERE account_row = ?2 AND id = ${keyPart(0)}),
         ${keyPart(1)}, 0, ?3
       ${eachKey}`,
    )
    .run(changes.written, accountRow, changes.createdAt)
  raw
    .query<null, [number, string]>(
      'UPDATE form SET withdrawn = 1 WHERE account_row = ? AND id IN (SELECT value FROM json_each(?))',
    )
    .run(accountRow, changes.withdrawn)
}
