/**
 * The checksum of a ledger row: CRC-32 (ISO 3309, as in zip and PNG) of the entry's line as `encodeEntries` writes it,
 * in UTF-8. It covers only what was captured and nothing that storage adds, so a ledger replayed into another box has
 * the same. On disk: never change it (docs/decisions/0026).
 */
export const checksumOfLine = (line: string): number => Bun.hash.crc32(line)

/** The columns that the checksum covers. */
export interface ChecksummedRow {
  kind: number
  id: string
  receivedAt: number
  record: string
  /** `null`: stored before checksums were introduced. */
  checksum: number | null
}

/** Whether the row holds what was captured; `true` also without a checksum. */
export function isAsCaptured({ kind, id, receivedAt, record, checksum }: ChecksummedRow, accountId: string): boolean {
  return checksum === null || checksumOfLine(`${accountId}\t${kind}\t${id}\t${receivedAt}\t${record}`) === checksum
}
