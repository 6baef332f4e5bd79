/**
 * A field of a ledger row's record, an expression; `NULL`: the record has none, or is no JSON any more. Asked without looking,
 * SQLite would fail the whole statement for one damaged record.
 */
export const recordField = (name: string): string => `CASE WHEN json_valid(record) THEN record ->> '$.${name}' END`
