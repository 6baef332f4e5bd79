import { repairAdvice } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { NameOf } from '../account/account-names.ts'
import { chainFaultAdvice, chainFaultWords } from '../audit/chain-check.ts'
import { type CheckResult, fault, firstResults, ok, warning } from '../check-result.ts'
import { clockDoubt, trustClockCall, waitText } from '../retention/retention-words.ts'
import type { DatabaseInspector, RowCheck, UnfinishedRemoval } from './inspection.ts'

/** Whether everything in the ledger is as it was stored. */
export async function examineRecords(database: Pick<DatabaseInspector, 'checkLedger'>): Promise<CheckResult[]> {
  const { records, decisions } = await database.checkLedger()
  return [examineCaptured(records), ...examineDecisions(decisions)]
}

function examineCaptured(check: RowCheck): CheckResult {
  const { sound, damaged } = check
  const read = `${plural(sound, 'record')} can be read and ${sound === 1 ? 'is' : 'are'} as captured.`
  if (damaged === 0) return ok('records', read)
  return fault(
    'records',
    `${plural(damaged, 'record')} ${damaged === 1 ? 'does' : 'do'} not match ${damaged === 1 ? 'its' : 'their'} checksum: ${named(check)}. ${read}`,
    `Check the disk first. ${repairAdvice} A backup from before the damage has them.`,
  )
}

function examineDecisions(check: RowCheck): CheckResult[] {
  const { damaged } = check
  if (damaged === 0) return []
  return [
    fault(
      'decisions',
      `${plural(damaged, 'entry', 'entries')} about a release or an erasure ${damaged === 1 ? 'does' : 'do'} not match ${damaged === 1 ? 'its' : 'their'} checksum: ${named(check)}.`,
      `Check the disk first. ${repairAdvice} Nothing comes back by that. Afterwards release again what was released and does not count. A restore of an older backup no longer names all that was erased since.`,
    ),
  ]
}

const named = ({ damaged, described }: RowCheck): string =>
  described.map(({ handle, id }) => `of ${handle} ${id}`).join('; ') + (described.length < damaged ? '; …' : '')

/** A longer wait is not explained by a momentary load. */
const waitingMsMax = 15 * 60 * 1000

/** Checks for records that wait for processing or could not be processed. */
export function examineProcessing(database: Pick<DatabaseInspector, 'backlog'>, clock: Clock): CheckResult[] {
  const { waiting, oldestReceivedAt, setAside } = database.backlog()
  const backlog = describeBacklog(waiting, oldestReceivedAt, clock.now())
  if (setAside.latest === null) return [backlog]
  const { reason, at, entry, tookTooLong } = setAside.latest
  const named = entry === null ? '' : `, ${entry.id} of the account "${entry.account}"`
  const setAsideCheck = warning(
    'processing',
    `${plural(setAside.count, 'record')} could not be processed; the latest on ${timestamp(at)}${named}: ${reason}.`,
    `They are kept, but belong to no figure and no person. ${tookTooLong ? 'What took too long is tried once more after an upgrade, the rest when `serve` starts.' : '`serve` tries them again when it starts.'} If an update does not help, report the reason to the makers of capture: it contains no captured data.`,
  )
  return [backlog, setAsideCheck]
}

function describeBacklog(waiting: number, oldestReceivedAt: number | null, now: number): CheckResult {
  if (oldestReceivedAt === null) return ok('processing', 'Everything captured has been processed.')
  const found = `${plural(waiting, 'record')} ${waiting === 1 ? 'waits' : 'wait'} to be processed`
  if (now - oldestReceivedAt <= waitingMsMax) return ok('processing', `${found}, none for longer than 15 minutes.`)
  return warning(
    'processing',
    `${found}, the first of them received on ${timestamp(oldestReceivedAt)}.`,
    '`serve`, and every report and export, processes waiting records: run one of these and check again. If the number does not fall, see the results for the disk.',
  )
}

/** Warns about accounts that are not completely deleted, and about those that have not completely arrived. */
export const examineRemovals = (database: Pick<DatabaseInspector, 'unfinishedRemovals'>): CheckResult[] =>
  database.unfinishedRemovals().map((left) => (left.isArrival ? unfinishedArrival(left) : unfinishedRemoval(left)))

const unfinishedRemoval = ({ handle, name, begunAt }: UnfinishedRemoval): CheckResult =>
  warning(
    'removal',
    `The removal of ${accountNamed(name)}, begun on ${timestamp(begunAt)}, is not complete.`,
    `If no \`capture account remove\` is running, it was interrupted; finish it: capture account remove ${handle} --yes`,
  )

const unfinishedArrival = ({ handle, name, begunAt }: UnfinishedRemoval): CheckResult =>
  warning(
    'removal',
    `The move of ${accountNamed(name)} to this box, begun on ${timestamp(begunAt)}, is not complete.`,
    `If no \`capture account move\` is running, it was interrupted: run it again with the same file. To do without the account, delete what has arrived: capture account remove ${handle} --yes`,
  )

const accountNamed = (name: string | null): string => (name === null ? 'an account' : `"${name}"`)

type Erased = Pick<DatabaseInspector, 'returnedRecords' | 'underivedDevices'>

/** Warns about erased records that a restore brought back, and about what may still follow from removed ones. */
export function examineErasures(database: Erased, nameOf: NameOf): CheckResult[] {
  const returned = database.returnedRecords().map(({ handle, count }) =>
    warning(
      'erasures',
      `${plural(count, 'record')} of ${nameOf(handle)} that had been erased ${count === 1 ? 'is' : 'are'} back, because an earlier backup was restored.`,
      `Erase these persons again, from your own list of erasures: capture person erase ${handle} EMAIL --yes`,
      {
        page: {
          name: 'persons',
          account: handle,
          todo: 'Erase these persons again, from your own list of erasures, under {page}.',
        },
      },
    ),
  )
  const underived = database
    .underivedDevices()
    .map(({ handle, count, reason }) =>
      warning(
        'erasures',
        `${plural(count, 'device')} of ${nameOf(handle)} could not be derived again without removed records: ${reason}. Figures may still count these, and submissions may still say that they led there.`,
        `Every erasure tries again. Once no other check finds damage, repeat the last one: capture person erase ${handle} EMAIL --yes`,
      ),
    )
  return [...returned, ...underived]
}

/** About as many as a box writes in a month, read in a tenth of a second. */
const linesMax = 10_000

/** Whether the last lines of the audit log are as they were written; `audit verify` reads all of them. */
export function examineAudit(database: Pick<DatabaseInspector, 'auditChain'>): CheckResult {
  const { lines, fault: found } = database.auditChain(linesMax)
  if (found === null) return ok('audit', `The last ${plural(lines, 'line')} of the audit log are as they were written.`)
  return fault(
    'audit',
    `The audit log was changed by something other than Capture: ${chainFaultWords(found)}`,
    `${chainFaultAdvice}; \`capture audit verify\` reads every line.`,
  )
}

/** Tolerates differences between processes and corrections by a time server. */
const aheadMsMax = 5 * 60_000
const accountsShown = 10

/** Checks whether the clock is plausible, and lists deletions that wait for consent. */
export async function examineRetention(
  database: Pick<DatabaseInspector, 'retention' | 'recordsReceivedAfter'>,
  { now }: Clock,
  nameOf: NameOf,
): Promise<CheckResult[]> {
  const keeper = database.retention
  const waits = (await keeper.accounts()).flatMap(({ handle, wait }) => {
    if (wait === null || wait.isAllowed) return []
    const { found, advice } = waitText(handle, nameOf(handle), wait)
    return [warning('retention', found, advice, { accounts: [handle] })]
  })
  const clock = keeper.clock()
  const none = clock.isBelieved ? [ok('retention', 'No deletion waits for your consent.')] : []
  return [
    clockCheck(clock),
    ...futureChecks(database, now()),
    ...(waits.length === 0 ? none : firstResults(waits, accountsShown, moreWaits)),
  ]
}

const moreWaits = (more: number): CheckResult =>
  warning('retention', `The same applies to ${plural(more, 'more account')}.`, 'capture retention list')

function clockCheck(clock: ReturnType<DatabaseInspector['retention']['clock']>): CheckResult {
  if (clock.isBelieved)
    return ok('clock', `It says ${timestamp(clock.now)}, which agrees with when this box last saw it.`)
  const { found, advice } = clockDoubt(clock)
  return warning('clock', found, advice)
}

/** Records with a future receipt: the clock was ahead when they came, or is behind now. */
function futureChecks(database: Pick<DatabaseInspector, 'recordsReceivedAfter'>, now: number): CheckResult[] {
  const { count, latestAt } = database.recordsReceivedAfter(now + aheadMsMax)
  if (latestAt === null) return []
  return [
    warning(
      'clock',
      `${plural(count, 'record')} ${count === 1 ? 'has' : 'have'} a time of receipt in the future, the latest ${timestamp(latestAt)}.`,
      `If the clock is behind, set it. If it is right, it was ahead when these records came: they keep that time in reports, and retention deletes them by it. If retention waits because of them: ${trustClockCall}.`,
    ),
  ]
}
