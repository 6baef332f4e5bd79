import type { ObjectFault } from '../../backup/format/bundle.ts'
import { DataKeys } from '../../backup/format/sealing.ts'
import { planRestore } from '../../backup/restore/plan.ts'
import { type CheckedTarget, checkTarget } from '../../backup/restore/verify.ts'
import type { BackupTarget } from '../../backup/target/backup-target.ts'
import type { RecordCounts, RestorePorts } from './restore-ports.ts'
import { targetRefusal } from './restore-target.ts'
import { unpackTarget } from './unpack-target.ts'

interface VerifyWanted {
  target: BackupTarget
  /** age identities; none: sealed backups are checked by their checksums alone. */
  identities: readonly string[]
  /** An empty folder for the restored database. */
  folder: string
  /** Epoch milliseconds. */
  now: number
}

export interface VerifiedTarget extends CheckedTarget {
  target: string
  /** The latest moment that can be restored, ISO 8601. */
  at: string
  /** Whether that moment was also put together and checked as a restore does. */
  restored: boolean
  /** What a restore would bring back; `null`: nothing was restored. */
  records: RecordCounts | null
  /** Objects that are missing or damaged, and how. */
  faults: { object: string; message: string }[]
}

export interface VerifiedTargets {
  verified: VerifiedTarget[]
  /** Why others could not be read. */
  faults: string[]
}

/**
 * Checks everything at a target by its checksums, and puts its latest moment together where it can be opened.
 *
 * @throws OperatorError when the target cannot be reached, or holds nothing
 */
export async function verifyTarget(
  ports: Pick<RestorePorts, 'folders' | 'databases'>,
  { target, identities, folder, now }: VerifyWanted,
  onObject: () => void,
): Promise<VerifiedTarget> {
  const faults: VerifiedTarget['faults'] = []
  const onFault = ({ object, message }: ObjectFault) => faults.push({ object, message })
  try {
    const breathe = async (): Promise<void> => onObject()
    const checked = await checkTarget(target, { scope: 'all', onFault, breathe })
    const plan = faults.length > 0 ? null : await planRestore(target, null)
    const restored = plan !== null && (!checked.isSealed || identities.length > 0)
    if (restored) {
      const source = { target, keys: new DataKeys(identities) }
      await unpackTarget(ports, { source, plan, staged: folder, dataDir: folder, now, onObject })
    }
    const at = plan === null ? '' : new Date(plan.at).toISOString()
    const records = restored ? ports.databases.count(folder) : null
    return { target: target.url, at, ...checked, restored, records, faults }
  } catch (error) {
    throw targetRefusal(target, error)
  }
}
