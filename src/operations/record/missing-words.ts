import type { MissingRecords } from '../../ledger/ledger.ts'
import { plural, timestamp } from '../../lib/quantities.ts'

/** `3 records (numbers 12 to 14), received between … and …`. */
export function missingWords({ count, first, last, ids, ...around }: MissingRecords): string {
  const numbers = first === last ? `number ${first}` : `numbers ${first} to ${last}`
  const named = ids.length === 0 ? '' : `; ${ids.length < (count ?? 0) ? 'among them ' : ''}${ids.join(', ')}`
  const records = count === null ? 'An unknown number of records, perhaps none' : plural(count, 'record')
  return `${records} (${numbers}${named})${receivedWords(around)}`
}

function receivedWords({
  receivedAfter,
  receivedBefore,
}: Pick<MissingRecords, 'receivedAfter' | 'receivedBefore'>): string {
  if (receivedAfter !== null && receivedBefore !== null) {
    return `, received between ${timestamp(receivedAfter)} and ${timestamp(receivedBefore)}`
  }
  if (receivedAfter !== null) return `, received after ${timestamp(receivedAfter)}`
  return receivedBefore === null ? '' : `, received before ${timestamp(receivedBefore)}`
}
