import type { DamagedRecord, MissingRecords } from '../../ledger/ledger.ts'
import { count } from '../../lib/quantities.ts'
import { missingWords } from '../../operations/record/missing-words.ts'
import type { RecordNotice } from '../../operations/record/record-notice.ts'
import type { ExitStatus } from '../command.ts'
import { printable } from '../output/printable.ts'
import type { Session } from '../session.ts'

/** Says on stderr, as it is met, what is missing in what a command prints. */
export class RecordNotices {
  private isAnyUnreadable = false

  constructor(private readonly err: Session['err']) {}

  readonly onNotice = (notice: RecordNotice): void => {
    if (notice.kind === 'unreadable' || notice.kind === 'unknown') this.isAnyUnreadable = true
    this.err.write(`${printable(sentence(notice))}\n`)
  }

  /** Of a command that has printed the others. */
  exitStatus(): ExitStatus {
    return this.isAnyUnreadable ? 1 : 0
  }
}

function sentence(notice: RecordNotice): string {
  switch (notice.kind) {
    case 'waiting':
      return `Of ${count(notice.records)} later records nothing is known yet: they wait to be processed.`
    case 'unprocessed':
      return `What was captured last could not be processed (${notice.reason}). capture doctor says more.`
    case 'unknown':
      return `What is known of the record ${notice.id} beyond its own content cannot be read; run capture doctor.`
    case 'unreadable':
      return notice.leftOut.fault === 'missing' ? missingSentence(notice.leftOut) : damagedSentence(notice.leftOut)
  }
}

function damagedSentence({ id, fault, isKept = false }: DamagedRecord): string {
  if (fault === 'unreadable') return `The record ${id} cannot be read and is left out; run capture doctor.`
  const verb = isKept ? 'printed all the same' : 'left out'
  return `The record ${id} is not as it was captured (its checksum says so) and is ${verb}; run capture doctor.`
}

function missingSentence(missing: MissingRecords): string {
  const comma = missing.receivedAfter === null && missing.receivedBefore === null ? '' : ','
  const verbs = missing.count === 1 ? 'cannot be read and is left out' : 'cannot be read and are left out'
  return `${missingWords(missing)}${comma} ${verbs}: the database file is damaged there; run capture doctor.`
}
