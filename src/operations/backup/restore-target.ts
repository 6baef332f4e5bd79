import { type AssetStore, storedEncodings } from '../../asset/asset-store.ts'
import { assetsFolder, storedName } from '../../asset/stored-name.ts'
import { readBundle, readHead, readNames } from '../../backup/format/bundle.ts'
import { readContent } from '../../backup/format/contents.ts'
import { ledgerRowsOf, linesOf, type Source } from '../../backup/format/increment-lines.ts'
import { assetListName } from '../../backup/format/object-names.ts'
import { DataKeys, sealKeyContext, WrongIdentity } from '../../backup/format/sealing.ts'
import { NothingThere, planRestore, type RestorePlan } from '../../backup/restore/plan.ts'
import { type CheckedTarget, checkTarget } from '../../backup/restore/verify.ts'
import { type BackupTarget, ObjectFault, TargetFault } from '../../backup/target/backup-target.ts'
import type { ErasureEntry } from '../../ledger/decision.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { ArchiveFault } from '../../lib/ustar.ts'
import type { RecordCounts, Replay, RestorePorts } from './backup-ports.ts'
import {
  accept,
  putInPlace,
  type RestoredBox,
  type RestoreWanted,
  restoreRefusal,
  type UnpackedBackup,
} from './restore.ts'

interface TargetRestoreWanted extends RestoreWanted {
  target: BackupTarget
  /** Epoch milliseconds; `null`: the latest moment that is there. */
  until: number | null
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

interface VerifyWanted {
  target: BackupTarget
  /** age identities; none: sealed backups are checked by their checksums alone. */
  identities: readonly string[]
  /** An empty folder for the restored database. */
  folder: string
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
  ports: UnpackingPorts,
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

interface TargetUnpacking {
  source: Source
  plan: RestorePlan
  staged: string
  dataDir: string
  now: number
  onObject: () => void
}

type UnpackingPorts = Pick<RestorePorts, 'folders' | 'databases'>

/**
 * Makes a data folder of a base, the increments behind it and the published contents that it names, and checks everything.
 *
 * @throws ObjectFault that names what is missing or damaged, WrongIdentity, TargetFault, ArchiveFault
 */
async function unpackTarget(
  ports: UnpackingPorts,
  { source, plan, staged, dataDir, now, onObject }: TargetUnpacking,
): Promise<UnpackedBackup> {
  const { target, keys } = source
  const { base } = plan
  const head = await readHead(target, base.name, 'base')
  const store = await ports.folders.assetsOf(staged)
  await ports.folders.writeDatabase(staged, readBundle(target, base.name, { head, keys }))
  const { key, sealKey } = head.header
  if (sealKey !== undefined)
    ports.folders.writeSealKey(staged, await openedSealKey(source, base.name, { key, sealKey }), dataDir)
  const log = await replay(ports, { source, plan, staged, onObject }, head.header)
  const listed = new Set(await readNames(target, assetListName(base.name)))
  let assets = 0
  const fetched = async (sha256: string): Promise<boolean> => {
    onObject()
    const isThere = await fetchContent(source, store, { sha256, listed })
    if (isThere) assets++
    return isThere
  }
  const { accounts, missing } = await accept({ ports, staged, now }, 'holds a database that', fetched)
  const createdAt = new Date(plan.at).toISOString()
  const unpacked = { createdAt, accounts, assets, missingAssets: missing, damagedAssets: [] }
  return { unpacked, log, erasuresMissing: plan.erasuresMissing }
}

async function openedSealKey(
  { keys }: Source,
  base: string,
  { key, sealKey }: { key: string | null; sealKey: string },
) {
  const sealed = new Uint8Array(Buffer.from(sealKey, 'base64'))
  try {
    return await keys.unseal(key, sealed, sealKeyContext(base))
  } catch (error) {
    if (error instanceof WrongIdentity) throw error
    throw new ObjectFault(base, 'is damaged: its sealing key cannot be decrypted')
  }
}

/** Puts the increments in. Answers what the target tells of erasures. */
async function replay(
  { databases }: UnpackingPorts,
  { source, plan, staged, onObject }: Omit<TargetUnpacking, 'dataDir' | 'now'>,
  { processed, schema }: { processed: number; schema: number },
): Promise<ErasureEntry[]> {
  const { base, increments } = plan
  const { target } = source
  const copy = openedReplay(databases, staged, base.name)
  try {
    const newest = increments.at(-1)
    const chain = newest && { id: newest.chain, ...(await readHead(target, newest.name, 'increment')).header }
    let last = { to: base.to, processed }
    for (const point of increments) {
      const head = await readHead(target, point.name, 'increment')
      if (head.header.schema !== schema) throw new ObjectFault(point.name, otherVersion)
      // The tables of the newest chain take the place of the base's, unless those are newer.
      const withState = point.chain === chain?.id && chain.processed >= processed
      await copy.put(linesOf(source, point.name, head), { behind: base.to, withState }).catch((error) => {
        throw error instanceof TypeError ? new ObjectFault(point.name, `is damaged: it has ${error.message}`) : error
      })
      last = { to: Math.max(last.to, point.to), processed: head.header.processed }
      onObject()
    }
    copy.end({ base: { to: base.to, processed }, last })
    const log: ErasureEntry[] = []
    for (const name of plan.erasures)
      for await (const rows of ledgerRowsOf(source, name)) log.push(...copy.erasuresIn(rows))
    return log
  } finally {
    copy.close()
  }
}

const otherVersion =
  'was written by another version of capture than the base before it: restore until an earlier moment'

function openedReplay(databases: UnpackingPorts['databases'], staged: string, base: string): Replay {
  try {
    return databases.replay(staged)
  } catch (error) {
    throw new ObjectFault(base, (error as Error).message)
  }
}

/**
 * @param listed names of contents that the base needs
 * @returns whether the content was there; `false`: the box had lost it
 * @throws ObjectFault when the base lists it and it is missing
 */
async function fetchContent(
  source: Source,
  store: AssetStore,
  { sha256, listed }: { sha256: string; listed: ReadonlySet<string> },
): Promise<boolean> {
  for (const encoding of storedEncodings) {
    const name = storedName({ sha256, encoding })
    const isNeeded = listed.has(name.slice(assetsFolder.length))
    const isThere = isNeeded || (await source.target.get(name)) !== null
    if (!isThere && encoding === 'identity') return false
    const key = { sha256, encoding }
    if (isThere) await store.put(key, { byteCount: 0, chunks: readContent(source, key) })
  }
  return true
}

/** What went wrong at the target, for the operator; any other error stays as it is. */
function targetRefusal({ url }: Pick<BackupTarget, 'url'>, error: unknown): unknown {
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
