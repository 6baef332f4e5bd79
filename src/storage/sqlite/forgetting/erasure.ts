import type { Clock } from '../../../lib/clock.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import {
  type Erasure,
  type ErasureCounts,
  type ErasureQuery,
  type ErasureReceipt,
  mentionsMax,
} from '../../../processing/erasure.ts'
import type { Processing } from '../../../processing/processing.ts'
import type { Connection } from '../database/connection.ts'
import { newestNumber } from '../ledger/damaged-stretch.ts'
import { knownAccountRow } from '../lookup/account-row.ts'
import { type Found, type FoundRecord, foundOf, personByEmail } from '../persons/own-records.ts'
import { processedTo } from '../processing/processed-to.ts'
import { underivedDevices } from '../refolding/stale-kind.ts'
import { AddressSpellings, type Spellings, spelledLike } from './address-spellings.ts'
import type { DatabaseFile } from './database-file.ts'
import { countOfKind, ErasedRemoval, type Taken } from './erased-removal.ts'
import { LoggedErasure } from './erasure-log.ts'
import { type Mentions, mentionsOf, removeCountedReplies, removeWords } from './mentions.ts'
import { Parting } from './parting.ts'
import { clearResidue, emptyLog, hasLeftovers } from './residue.ts'
import { sentRecords } from './sent-records.ts'

/** How often to look for new records of a person who sends more while being erased. */
const roundsMax = 100

/**
 * Erases in an order that lets an interrupted erasure be continued: first the records, each with what was derived from it
 * alone, marking what they had a part in; then the ties, which show whose records are whose, expired ones included; the
 * person last. Whatever is stale is derived again here or by whoever processes; free bytes are cleared at the end.
 */
export class SqliteErasure implements Erasure {
  private readonly removal: ErasedRemoval
  private readonly parting: Parting

  constructor(
    readonly connection: Connection,
    private readonly file: DatabaseFile,
    readonly clock: Clock,
    readonly processing: Pick<Processing, 'catchUp'>,
  ) {
    this.removal = new ErasedRemoval(connection, clock)
    this.parting = new Parting(connection, clock, this.removal.marks)
  }

  async find(query: ErasureQuery): Promise<ErasureCounts> {
    await processToHere(this)
    const accountRow = knownAccountRow(this.connection, query.accountId)
    const counts = noCounts()
    const sent = await sentRecords(this.connection, query, accountRow)
    const found = isPersons(query) ? foundOf(this.connection, query, accountRow) : nothingFound
    const mentions = isPersons(query) ? await mentionsOf(this.connection, { ...query, accountRow }) : noMentions
    const records = [...found.records, ...sent.records, ...sent.named]
    const kinds = new Map([...records, ...mentions.theirs].map(({ sequence, kind }) => [sequence, kind]))
    for (const kind of kinds.values()) counts[countOfKind[kind] ?? 'events']++
    const taken = new Set(records.map(({ sequence }) => sequence))
    const deviceRows = new Set([...found.deviceRows, ...sent.deviceRows])
    counts.devices = [...deviceRows].filter((row) => this.hasNoneBut(row, taken)).length
    return counts
  }

  async submissionsReached(query: ErasureQuery): Promise<string[]> {
    await processToHere(this)
    const accountRow = knownAccountRow(this.connection, query.accountId)
    return (await sentRecords(this.connection, query, accountRow)).submissionIds
  }

  async erase(query: ErasureQuery, onFound?: () => Promise<void>): Promise<ErasureReceipt> {
    await processToHere(this)
    await onFound?.()
    const accountRow = knownAccountRow(this.connection, query.accountId)
    // Before ties end, which show whose the devices were.
    const sent = await sentRecords(this.connection, query, accountRow)
    const counts = noCounts()
    // Apart from the person's: of others with the same phone number, an older backup is to lose these records alone.
    const log = this.logOf(query.accountId, null)
    const alone: Taken = { counts, log, isAlone: true }
    await this.removal.removeAll(sent.records, alone)
    const named = new Set(sent.named.map(({ sequence }) => sequence))
    const person = isPersons(query)
      ? await this.erasePersonAndMentions(query, { accountRow, named, counts })
      : nobodyErased
    // Whoever names the submissions again after an interruption has to find them: they go when nothing else is left to clear.
    if (named.size > 0 && (isPersons(query) || sent.records.length > 0)) await this.clearFreeBytes([])
    // With the last of them goes the person, unless they have sent more meanwhile.
    await this.removal.removeAll(sent.named, { ...(person.taken ?? alone), isAlone: true })
    if (isPersons(query) && person.taken !== null && named.size > 0)
      await this.erasePerson(query, { accountRow, named: new Set() }, person.taken)
    await this.removal.finish(accountRow, [...(person.taken === null ? [] : [person.taken.log]), log])
    const deviceRows = new Set([...person.deviceRows, ...sent.deviceRows])
    counts.devices = [...deviceRows].filter((row) => this.isGone(row)).length
    const address = isPersons(query) ? [new AddressSpellings(query.email)] : []
    const verified = await this.clearFreeBytes([...address, spelledLike(sent.phones)])
    const underived = underivedDevices(this.connection).find((account) => account.accountRow === accountRow)
    const notDerived = underived?.count ?? 0
    const { others } = person.mentions
    return { ...counts, mentionedIn: others.slice(0, mentionsMax), mentions: others.length, notDerived, verified }
  }

  /** What a person's records are but the named ones, what mentions them, and what was written about them. */
  private async erasePersonAndMentions(
    query: PersonQuery,
    { accountRow, named, counts }: { accountRow: number; named: ReadonlySet<number>; counts: ErasureCounts },
  ): Promise<ErasedPerson> {
    const personId = personByEmail(this.connection, accountRow, query.email)?.id ?? null
    const log = this.logOf(query.accountId, { personId })
    const taken: Taken = { counts, log }
    const deviceRows = await this.erasePerson(query, { accountRow, named }, taken)
    const mentions = await mentionsOf(this.connection, { ...query, accountRow })
    await this.removal.removeAll(butNamed(mentions.theirs, named), taken)
    removeCountedReplies(this.connection, accountRow, query.email)
    await removeWords(this.connection, accountRow, new AddressSpellings(query.email))
    const others = mentions.others.filter((id) => !query.sent?.ids.includes(id))
    return { deviceRows, mentions: { ...mentions, others }, taken }
  }

  /** Returns the devices that were theirs. @param named stay, and with them the person */
  private async erasePerson(
    query: PersonQuery,
    { accountRow, named }: { accountRow: number; named: ReadonlySet<number> },
    taken: Taken,
  ): Promise<number[]> {
    const deviceRows = new Set<number>()
    for (let round = 0; round < roundsMax; round++) {
      const found = foundOf(this.connection, query, accountRow)
      const others = butNamed(found.records, named)
      await this.removal.removeAll(others, taken)
      if (found.personRow === null) return []
      for (const deviceRow of found.deviceRows) {
        deviceRows.add(deviceRow)
        await this.parting.part(deviceRow, found.personRow, found)
      }
      if (this.parting.removePerson(found.personRow) || (named.size > 0 && others.length === 0)) return [...deviceRows]
    }
    throw new Error('records of the person keep coming in')
  }

  /** @param person `null`: records alone */
  private logOf(accountId: string, person: { personId: string | null } | null): LoggedErasure {
    const of = person === null ? 'records' : 'person'
    return new LoggedErasure(this.connection, this.clock, { accountId, personId: person?.personId ?? null, of })
  }

  private async clearFreeBytes(sought: readonly Spellings[]): Promise<boolean> {
    const { connection, file, clock } = this
    await clearResidue(connection, file, () => emptyLog(connection, clock))
    if (!(await emptyLog(connection, clock))) return false
    for (const spellings of sought) if (await hasLeftovers(file, spellings)) return false
    return true
  }

  private hasNoneBut(deviceRow: number, taken: ReadonlySet<number>): boolean {
    const entries = this.connection.raw
      .query<{ sequence: number }, [number]>('SELECT sequence FROM device_entry WHERE device_row = ?')
      .iterate(deviceRow)
    for (const { sequence } of entries) if (!taken.has(sequence)) return false
    return true
  }

  private isGone(deviceRow: number): boolean {
    return this.connection.raw.query('SELECT 1 FROM device WHERE row = ?').get(deviceRow) === null
  }
}

export const noCounts = (): ErasureCounts => ({
  submissions: 0,
  events: 0,
  pageViews: 0,
  clicks: 0,
  devices: 0,
})

interface ErasedPerson {
  deviceRows: number[]
  mentions: Mentions
  /** `null`: nobody is meant. */
  taken: Taken | null
}

type PersonQuery = ErasureQuery & { email: string }

const isPersons = (query: ErasureQuery): query is PersonQuery => query.email !== null

const butNamed = (records: readonly FoundRecord[], named: ReadonlySet<number>): FoundRecord[] =>
  records.filter(({ sequence }) => !named.has(sequence))

const noMentions: Mentions = { theirs: [], others: [] }
const nothingFound: Pick<Found, 'records' | 'deviceRows'> = { records: [], deviceRows: [] }
const nobodyErased: ErasedPerson = { deviceRows: [], mentions: noMentions, taken: null }

/** How long processing earlier records may take: a million take two minutes. */
const processMsMax = 600_000
const catchUpMs = 100

interface Needed {
  connection: Connection
  clock: Clock
  processing: Pick<Processing, 'catchUp'>
}

/**
 * Processes everything captured by now: before an erasure, it must be known whose each record is. Does not wait for
 * what arrives meanwhile.
 *
 * @throws OperatorError if that does not come to an end
 */
export async function processToHere({ connection, clock, processing }: Needed): Promise<void> {
  const newest = newestNumber(connection)
  const deadlineMs = clock.monotonicMs() + processMsMax
  while ((await processing.catchUp(catchUpMs)) > 0) {
    if (processedTo(connection) >= newest) return
    if (clock.monotonicMs() > deadlineMs) {
      throw new OperatorError('Earlier records are still waiting to be processed. Run the erasure again later.')
    }
  }
}
