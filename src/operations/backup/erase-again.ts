import type { ErasureEntry } from '../../ledger/decision.ts'
import type { ErasureCounts } from '../../processing/erasure.ts'
import { erasureQuery } from '../person/erase-person.ts'
import type { ErasingAgain, RestoredDatabases } from './restore-ports.ts'

/** What a restore erased again, because it had been erased after the backup. */
export interface ErasedAgain {
  /** The number of erasures that came after the backup. */
  erasures: number
  /** The number of records that the backup still had and that were removed. */
  records: number
  /** Whether no byte of the restored database holds the addresses any more. */
  verified: boolean
  /** The number of devices that could not be derived again without erased records. */
  notDerived: number
}

/**
 * Takes over erasures that a staged database does not know and carries them out in it (docs/backup-and-restore.md).
 *
 * An erasure names ids and no address. The backup itself tells whose the ids are; that address is erased by all rules of
 * an erasure. Records that belong to nobody known are removed by their ids.
 */
export async function eraseAgain(
  databases: Pick<RestoredDatabases, 'erasing'>,
  staged: string,
  log: readonly ErasureEntry[],
): Promise<ErasedAgain> {
  const erasing = await databases.erasing(staged)
  try {
    const unknown = erasing.takeOver(log)
    return { erasures: countErasures(log, unknown), ...(await repeatErasures(erasing, unknown)) }
  } finally {
    erasing.close()
  }
}

type Repeated = Pick<ErasedAgain, 'records' | 'verified' | 'notDerived'>

/** Erases whatever of the erased is there. */
export async function repeatErasures(erasing: ErasingAgain, erasures: readonly ErasureEntry[]): Promise<Repeated> {
  const repeated: Repeated = { records: 0, verified: true, notDerived: 0 }
  for (const [accountId, entries] of Map.groupBy(erasures, (entry) => entry.accountId)) {
    await eraseInAccount(erasing, { accountId, entries }, repeated)
  }
  repeated.notDerived = erasing.notDerived()
  return repeated
}

async function eraseInAccount(
  erasing: ErasingAgain,
  { accountId, entries }: { accountId: string; entries: ErasureEntry[] },
  erased: Repeated,
): Promise<void> {
  const records = entries.flatMap((entry) => entry.records)
  const persons = entries.flatMap(({ personId }) => (personId === null ? [] : [personId]))
  for (const email of await erasing.addressesOf(accountId, { persons, records })) {
    const receipt = await erasing.erasure.erase(await erasureQuery(erasing, { accountId, email }))
    erased.records += recordCount(receipt)
    if (!receipt.verified) erased.verified = false
  }
  erased.records += recordCount(await erasing.eraseRecords(accountId, records))
}

const recordCount = ({ submissions, events, pageViews, clicks }: ErasureCounts): number =>
  submissions + events + pageViews + clicks

/**
 * The number of persons that the unknown entries erased. A person who was erased again after a restore lost the same records
 * twice and is counted once.
 *
 * @param log all entries of the box that knows most, the unknown ones included
 */
function countErasures(log: readonly ErasureEntry[], unknown: readonly ErasureEntry[]): number {
  const takenBy = new Map<string, string>()
  const again = new Map<string, string>()
  const first = (erasureId: string): string => again.get(erasureId) ?? erasureId
  for (const { erasureId, records } of log) {
    for (const id of records) {
      const before = takenBy.get(id)
      if (before === undefined) takenBy.set(id, erasureId)
      else if (before !== erasureId) again.set(erasureId, first(before))
    }
  }
  return new Set(unknown.map(({ erasureId }) => first(erasureId))).size
}
