import type { DamagedRecord, MissingRecords } from '../../ledger/ledger.ts'
import { plural } from '../../lib/quantities.ts'
import { missingWords } from './missing-words.ts'
import type { RecordNotice } from './record-notice.ts'

/** What a result lacks, in a sentence. */
export function noticeWords(notice: RecordNotice): string {
  switch (notice.kind) {
    case 'waiting':
      return `${plural(notice.records, 'recent record')} ${notice.records === 1 ? 'is' : 'are'} still being processed and not included.`
    case 'unprocessed':
      return `The latest records could not be processed (${notice.reason}). \`capture doctor\` says more.`
    case 'unknown':
      return `The derived data of the record ${notice.id} cannot be read; run \`capture doctor\`.`
    case 'unreadable':
      return notice.leftOut.fault === 'missing' ? missingSentence(notice.leftOut) : damagedSentence(notice.leftOut)
  }
}

function damagedSentence({ id, fault, isKept = false }: DamagedRecord): string {
  if (fault === 'unreadable') return `The record ${id} cannot be read and is left out; run \`capture doctor\`.`
  const verb = isKept ? 'printed nevertheless' : 'left out'
  return `The record ${id} is not as it was captured (its checksum says so) and is ${verb}; run \`capture doctor\`.`
}

function missingSentence(missing: MissingRecords): string {
  const comma = missing.receivedAfter === null && missing.receivedBefore === null ? '' : ','
  const verbs = missing.count === 1 ? 'cannot be read and is left out' : 'cannot be read and are left out'
  return `${missingWords(missing)}${comma} ${verbs}: the database file is damaged there; run \`capture doctor\`.`
}
