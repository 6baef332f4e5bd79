import type { Clock } from '../../../lib/clock.ts'
import {
  type Erasure,
  type ErasureCounts,
  type ErasureQuery,
  type ErasureReceipt,
  mentionsMax,
} from '../../../processing/erasure.ts'
import type { Processing } from '../../../processing/processing.ts'
import { breath } from '../database/breath.ts'
import type { Connection } from '../database/connection.ts'
import { emailMark } from '../processing/email-mark.ts'
import { ProcessedAccounts } from '../processing/processed-accounts.ts'
import { passingDamage } from '../salvage/damage.ts'
import { AddressSpellings } from './address-spellings.ts'
import type { DatabaseFile } from './database-file.ts'
import { DayFigures } from './day-figures.ts'
import { DeviceEnd, type Owner } from './device-end.ts'
import { countOfKind, ErasedRemoval, type Taken } from './erased-removal.ts'
import { LoggedErasure } from './erasure-log.ts'
import { FreedRepeats } from './freed-repeats.ts'
import { hasLeftovers } from './leftovers.ts'
import { type Mentions, mentionsOf } from './mentions.ts'
import { clicksOfRecipients, ownRecords } from './own-records.ts'
import { processToHere } from './process-to-here.ts'
import { clearResidue } from './residue.ts'
import { type ErasedRecords, TouchRemoval } from './touch-removal.ts'
import { emptyLog } from './write-ahead-log.ts'

/** Records looked at for a step. */
const recordsPerStepMax = 1000
/** A person who sends more while they are erased is caught up with so often. */
const roundsMax = 100

/** Everything found of a person. */
interface Found extends ErasedRecords {
  personRow: number | null
  /** Devices that were theirs at some time. */
  deviceRows: number[]
}

/**
 * Erasure in the order that lets an interrupted one be found again: what others' submissions have of the records; the
 * records, each with what was made of it in one transaction; then each device's ties, which tell whose its records are;
 * the person last; free bytes at the end.
 */
export class SqliteErasure implements Erasure {
  private readonly removal: ErasedRemoval
  private readonly figures: DayFigures
  private readonly devices: DeviceEnd
  private readonly touches: TouchRemoval
  private readonly repeats: FreedRepeats
  private readonly accounts: ProcessedAccounts

  constructor(
    readonly connection: Connection,
    private readonly file: DatabaseFile,
    readonly clock: Clock,
    readonly processing: Pick<Processing, 'catchUp'>,
  ) {
    this.figures = new DayFigures(connection)
    this.devices = new DeviceEnd(connection)
    this.removal = new ErasedRemoval({ connection, clock, figures: this.figures, devices: this.devices })
    this.touches = new TouchRemoval(connection, this.figures)
    this.repeats = new FreedRepeats(connection, this.figures)
    this.accounts = new ProcessedAccounts(connection)
  }

  async find(query: ErasureQuery): Promise<ErasureCounts> {
    await processToHere(this)
    const owner = this.ownerOf(query)
    const counts = noCounts()
    const found = this.found(query, owner)
    const mentions = await mentionsOf(this.connection, { ...query, ...owner })
    const kinds = new Map([...found.records, ...mentions.theirs].map(({ sequence, kind }) => [sequence, kind]))
    for (const kind of kinds.values()) counts[countOfKind[kind] ?? 'events']++
    counts.unreadable = mentions.unreadable
    const taken = new Set(found.records.map(({ sequence }) => sequence))
    counts.devices = found.deviceRows.filter((row) => this.devices.wouldGo(row, found.personRow, taken)).length
    return counts
  }

  async erase(query: ErasureQuery): Promise<ErasureReceipt> {
    await processToHere(this)
    const owner = this.ownerOf(query)
    const taken: Taken = { counts: noCounts(), log: this.logOf(query, owner) }
    await this.erasePerson(query, owner, taken)
    const mentions = await mentionsOf(this.connection, { ...query, ...owner })
    await this.removeRecords({ records: mentions.theirs, intervals: [] }, taken)
    taken.log.end()
    const { counts } = taken
    counts.unreadable += mentions.unreadable
    const verified = (await this.clearFreeBytes(query)) && counts.unreadable === 0
    return { ...counts, mentionedIn: firstOf(mentions), mentions: mentions.others.length, verified }
  }

  private async erasePerson(query: ErasureQuery, owner: Owner, taken: Taken): Promise<void> {
    for (let round = 0; round < roundsMax; round++) {
      const found = this.found(query, owner)
      await this.removeRecords(found, taken)
      if (found.personRow === null) return
      for (const deviceRow of found.deviceRows) {
        if (await this.devices.part(deviceRow, found.personRow, owner)) taken.counts.devices++
        await breath()
      }
      if (this.removePerson(found.personRow)) return
    }
    throw new Error('records of the person keep coming in')
  }

  private found(query: ErasureQuery, { accountRow }: Owner): Found {
    const clicks = clicksOfRecipients(this.connection, accountRow, query.recipients)
    const personRow = this.person(query.email, accountRow)?.row ?? null
    if (personRow === null) return { personRow, records: clicks, intervals: [], deviceRows: [] }
    const own = ownRecords(this.connection, { personRow, email: query.email })
    return { personRow, ...own, records: [...own.records, ...clicks] }
  }

  private person(email: string, accountRow: number): { row: number; id: string } | null {
    return this.connection.raw
      .query<{ row: number; id: string }, [number, number, string]>(
        'SELECT row, id FROM person WHERE account_row = ? AND email_mark = ? AND email = ?',
      )
      .get(accountRow, emailMark(email), email)
  }

  private logOf({ accountId, email }: ErasureQuery, { accountRow }: Owner): LoggedErasure {
    const personId = this.person(email, accountRow)?.id ?? null
    return new LoggedErasure(this.connection, this.clock, { accountId, personId })
  }

  private async removeRecords(erased: ErasedRecords, taken: Taken): Promise<void> {
    await this.touches.remove(erased)
    const { records } = erased
    const groups = await this.repeats.groupsOf(records)
    await this.repeats.tellAgain(groups)
    for (let next = 0; next < records.length; ) {
      const some = records.slice(next, next + recordsPerStepMax)
      next += passingDamage(
        some,
        (some) => this.removal.remove(some, taken),
        () => taken.counts.unreadable++,
      )
      await breath()
    }
    await this.repeats.tellAgain(groups)
  }

  private removePerson(personRow: number): boolean {
    const gone = this.connection.raw.query<{ row: number }, [number]>(
      `DELETE FROM person WHERE row = ?1
         AND NOT EXISTS (SELECT 1 FROM device_tie WHERE person_row = ?1)
         AND NOT EXISTS (SELECT 1 FROM submission_fact WHERE person_row = ?1) RETURNING row`,
    )
    return gone.get(personRow) !== null
  }

  private async clearFreeBytes({ email }: ErasureQuery): Promise<boolean> {
    const { connection, file, clock } = this
    await clearResidue(connection, file, () => emptyLog(connection, clock))
    const isLogEmpty = await emptyLog(connection, clock)
    return isLogEmpty && !(await hasLeftovers(file, new AddressSpellings(email)))
  }

  private ownerOf({ accountId }: ErasureQuery): Owner {
    const found = this.connection.raw
      .query<{ row: number }, [string]>('SELECT row FROM account WHERE id = ?')
      .get(accountId)
    this.accounts.refresh()
    const account = found && this.accounts.find(found.row)
    if (!found || !account) throw new Error(`no account ${accountId}`)
    return { account, accountRow: found.row }
  }
}

const noCounts = (): ErasureCounts => ({
  submissions: 0,
  events: 0,
  pageViews: 0,
  clicks: 0,
  devices: 0,
  unreadable: 0,
})

const firstOf = ({ others }: Mentions): string[] => others.slice(0, mentionsMax)
