/**
 * An expression for a field of a ledger row's record; `NULL` if it is missing or the record is no longer JSON. Without
 * the check, one damaged record would fail the whole statement.
 */
export const recordField = (name: string): string => `CASE WHEN json_valid(record) THEN record ->> '$.${name}' END`
