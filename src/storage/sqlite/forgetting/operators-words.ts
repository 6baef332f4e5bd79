import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import type { AddressSpellings } from './address-spellings.ts'

/** Rows read at once: about 5 ms. */
const pageRows = 500

/** Tables of what console users wrote, with the text columns that may contain an address. */
const tables = [
  { name: 'submission_note', text: 'text' },
  // A query is form-encoded: a plus is a space.
  { name: 'saved_filter', text: "name || ' ' || replace(query, '+', ' ')" },
] as const

interface WordsRow {
  row: number
  text: string
}

/** Removes what console users wrote about an address outside its person's own submissions, whose notes go with them. */
export async function removeWords(
  { raw }: Pick<Connection, 'raw'>,
  accountRow: number,
  address: AddressSpellings,
): Promise<void> {
  for (const { name, text } of tables) {
    const page = raw.query<WordsRow, [number, number, number]>(
      `SELECT row, ${text} AS text FROM ${name} WHERE account_row = ? AND row > ? ORDER BY row LIMIT ?`,
    )
    const remove = raw.query<null, [number]>(`DELETE FROM ${name} WHERE row = ?`)
    for (let after = 0; ; await breath()) {
      const rows = page.all(accountRow, after, pageRows)
      for (const { row, text } of rows) if (address.isNamedIn(text)) remove.run(row)
      after = rows.at(-1)?.row ?? after
      if (rows.length < pageRows) break
    }
  }
}
