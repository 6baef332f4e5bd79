/** Rows in the order of a key, page by page: each page is read after the last key of the page before it. */
export function* pagesAfter<Row, Key>(
  first: Key,
  read: (after: Key) => Row[],
  keyOf: (row: Row) => Key,
): Generator<Row[]> {
  for (let after = first; ; ) {
    const rows = read(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = keyOf(last)
  }
}
