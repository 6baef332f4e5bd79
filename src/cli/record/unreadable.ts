import type { DamagedRecord, LeftOut, MissingRecords } from '../../ledger/ledger.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { ExitStatus } from '../command.ts'
import { printable } from '../output/printable.ts'
import type { Session } from '../session.ts'

/** Names what cannot be read on stderr as it is met: what is printed is then not all there is. */
export class UnreadableRecords {
  private isAny = false

  constructor(private readonly err: Session['err']) {}

  readonly onUnreadable = (leftOut: LeftOut): void => {
    this.say(leftOut.fault === 'missing' ? missingSentence(leftOut) : damagedSentence(leftOut))
  }

  /** Told of a record of which only what was captured can be read, and nothing that was made of it. */
  readonly onUnknown = (id: string): void => {
    this.say(`What is known of the record ${id} beyond its own content cannot be read; run capture doctor.`)
  }

  /** Of a command that has printed the others. */
  exitStatus(): ExitStatus {
    return this.isAny ? 1 : 0
  }

  private say(sentence: string): void {
    this.isAny = true
    this.err.write(`${printable(sentence)}\n`)
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
