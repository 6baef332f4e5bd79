import { ObjectFault, readHead } from '../../backup/format/bundle.ts'
import type { Source } from '../../backup/format/increment-lines.ts'
import { DataKeys, WrongIdentity } from '../../backup/format/sealing.ts'
import { NothingThere, planRestore, type RestorePlan } from '../../backup/restore/plan.ts'
import { type BackupTarget, TargetFault } from '../../backup/target/backup-target.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { ArchiveFault } from '../../lib/ustar.ts'
import { putInPlace, type RestoredBox } from './restore.ts'
import type { RestorePorts } from './restore-ports.ts'
import { restoreRefusal } from './unpack.ts'
import { unpackTarget } from './unpack-target.ts'

interface TargetRestoreWanted {
  target: BackupTarget
  /** age identities: `AGE-SECRET-KEY-1…`. */
  identities: readonly string[]
  /** Epoch milliseconds; `null`: the latest moment that is there. */
  until: number | null
  dataDir: string
  /** Epoch milliseconds. */
  now: number
}

/**
 * Puts a moment together from a base and increments (docs/decisions/0058), beside the data folder, and in place when it is complete.
 *
 * @throws OperatorError when an object that the moment needs is missing or damaged, no identity opens it, or there is no base
 * so old; nothing has changed then
 */
export async function restoreTarget(
  ports: RestorePorts,
  { target, identities, until, dataDir, now }: TargetRestoreWanted,
  onObject: () => void,
): Promise<RestoredBox> {
  const source = { target, keys: new DataKeys(identities) }
  const refusal = (error: unknown): unknown => targetRefusal(target, error)
  const plan = await openedPlan(source, until).catch((error) => {
    throw refusal(error)
  })
  const placed = await putInPlace(ports, {
    dataDir,
    now,
    unpack: (staged) => unpackTarget(ports, { source, plan, staged, dataDir, now, onObject }),
    refusal,
  })
  return { from: 'target', ...placed }
}

/** The plan, once it is known that the identities open it: before anything is fetched that takes long. */
async function openedPlan({ target, keys }: Source, until: number | null): Promise<RestorePlan> {
  const plan = await planRestore(target, until)
  const { header } = await readHead(target, plan.base.name, 'base')
  if (header.key !== null) await keys.open(header.key)
  return plan
}

/** What went wrong at the target, for the operator; any other error stays as it is. */
export function targetRefusal({ url }: Pick<BackupTarget, 'url'>, error: unknown): unknown {
  if (error instanceof WrongIdentity) {
    return new OperatorError(
      `${url} is sealed for other identities than those given. Name the file with the identity that belongs to one of its recipients: --identity FILE. Nothing was changed.`,
    )
  }
  if (error instanceof ObjectFault) {
    return new OperatorError(
      `${url} cannot be restored: the object ${error.object} ${error.message}. Nothing was changed.`,
    )
  }
  if (error instanceof NothingThere || error instanceof TargetFault) {
    const end = error.message.endsWith('?') ? '' : '.'
    return new OperatorError(`The target ${url} ${error.message}${end} Nothing was changed.`)
  }
  return error instanceof ArchiveFault || 'code' in Object(error) ? restoreRefusal(url, error) : error
}
