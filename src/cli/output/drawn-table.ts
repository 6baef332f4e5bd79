import type { Session } from '../session.ts'
import { styleFor } from './style.ts'
import { type TextTable, tableText } from './table.ts'

/** The table as the command's own output shows it: its colours and its width. */
export const drawnTable = (table: TextTable, { out, env }: Pick<Session, 'out' | 'env'>): string =>
  tableText(table, styleFor(out, env), out.columns)
