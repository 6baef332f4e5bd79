import { Value } from '@sinclair/typebox/value'
import { decisionSchemas, type LedgerEntry } from './decision.ts'
import { entrySchemas } from './entry.ts'

// A file of its own: what checks shapes takes milliseconds to load, and only a repair needs it.

/** Whether JSON has the shape of such an entry's record: damage may still be valid JSON. */
export const isRecordOf = (kind: LedgerEntry['kind'], record: unknown): boolean =>
  Value.Check({ ...entrySchemas, ...decisionSchemas }[kind], record)
