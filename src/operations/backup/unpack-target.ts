import { type AssetStore, type StoredBytes, storedEncodings } from '../../asset/asset-store.ts'
import { assetsFolder, storedName } from '../../asset/stored-name.ts'
import { ObjectFault, readBundle, readHead, readNames } from '../../backup/format/bundle.ts'
import { ledgerRowsOf, linesOf, type Source } from '../../backup/format/increment-lines.ts'
import { assetListName, type IncrementPoint } from '../../backup/format/object-names.ts'
import { sealKeyContext, WrongIdentity } from '../../backup/format/sealing.ts'
import type { RestorePlan } from '../../backup/restore/plan.ts'
import type { ErasureEntry } from '../../ledger/decision.ts'
import type { Replay, RestorePorts } from './restore-ports.ts'
import { accept, type Unpacked } from './unpack.ts'

interface TargetUnpacking {
  source: Source
  plan: RestorePlan
  /** The path of the new data folder. */
  staged: string
  /** The present data folder. */
  dataDir: string
  /** Epoch milliseconds. */
  now: number
  /** Called for each object that was read. */
  onObject: () => void
}

/** What a moment is unpacked with. */
type UnpackingPorts = Pick<RestorePorts, 'folders' | 'databases'>

/**
 * Makes a data folder of a base, the increments behind it and the published contents that it names, and checks everything.
 *
 * @throws ObjectFault that names what is missing or damaged, WrongIdentity, TargetFault, ArchiveFault
 */
export async function unpackTarget(
  ports: UnpackingPorts,
  { source, plan, staged, dataDir, now, onObject }: TargetUnpacking,
): Promise<{ unpacked: Unpacked; log: ErasureEntry[]; erasuresMissing: string | null }> {
  const { target, keys } = source
  const { base } = plan
  const head = await readHead(target, base.name, 'base')
  const store = await ports.folders.assetsOf(staged)
  await ports.folders.writeDatabase(staged, readBundle(target, base.name, { head, keys }))
  await bringSealKey(ports, { keys, staged, dataDir }, base.name, head.header)
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

async function bringSealKey(
  { folders }: UnpackingPorts,
  { keys, staged, dataDir }: Pick<TargetUnpacking, 'staged' | 'dataDir'> & Pick<Source, 'keys'>,
  base: string,
  { key, sealKey }: { key: string | null; sealKey?: string },
): Promise<void> {
  if (sealKey === undefined) return
  const sealed = new Uint8Array(Buffer.from(sealKey, 'base64'))
  const opened = await keys.unseal(key, sealed, sealKeyContext(base)).catch((error) => {
    throw error instanceof WrongIdentity
      ? error
      : new ObjectFault(base, 'is damaged: its sealing key cannot be decrypted')
  })
  folders.writeSealKey(staged, opened, dataDir)
}

type Replaying = Pick<TargetUnpacking, 'source' | 'plan' | 'staged' | 'onObject'>

/** Puts the increments in. Answers what the target tells of erasures. */
async function replay(
  { databases }: UnpackingPorts,
  { source, plan, staged, onObject }: Replaying,
  baseHeader: { processed: number; schema: number },
): Promise<ErasureEntry[]> {
  const { base, increments } = plan
  const replay = opened(databases, staged, base.name)
  try {
    const chain = await newerChain(source, increments.at(-1), baseHeader)
    let last = { to: base.to, processed: baseHeader.processed }
    for (const { name, chain: ofChain, to } of increments) {
      const head = await readHead(source.target, name, 'increment')
      if (head.header.schema !== baseHeader.schema) throw new ObjectFault(name, otherVersion)
      await put(replay, name, linesOf(source, name, head), { behind: base.to, withState: ofChain === chain })
      last = { to: Math.max(last.to, to), processed: head.header.processed }
      onObject()
    }
    replay.end({ base: { to: base.to, processed: baseHeader.processed }, last })
    const log: ErasureEntry[] = []
    for (const name of plan.erasures)
      for await (const rows of ledgerRowsOf(source, name)) log.push(...replay.erasuresIn(rows))
    return log
  } finally {
    replay.close()
  }
}

/** The chain whose tables take the place of the base's; `null`: the base's are newer, or there is none. */
async function newerChain(
  { target }: Source,
  last: IncrementPoint | undefined,
  base: { processed: number },
): Promise<string | null> {
  if (last === undefined) return null
  const { header } = await readHead(target, last.name, 'increment')
  return header.processed < base.processed ? null : last.chain
}

const otherVersion =
  'was written by another version of capture than the base before it: restore until an earlier moment'

function opened(databases: UnpackingPorts['databases'], staged: string, base: string): Replay {
  try {
    return databases.replay(staged)
  } catch (error) {
    throw new ObjectFault(base, (error as Error).message)
  }
}

async function put(replay: Replay, name: string, ...[lines, options]: Parameters<Replay['put']>): Promise<void> {
  try {
    await replay.put(lines, options)
  } catch (error) {
    if (error instanceof TypeError) throw new ObjectFault(name, `is damaged: it has ${error.message}`)
    throw error
  }
}

interface WantedContent {
  sha256: string
  /** Names of contents that the base needs. */
  listed: ReadonlySet<string>
}

/** Whether the content was there; `false`: the box had lost it. @throws ObjectFault when the base lists it and it is missing */
async function fetchContent(source: Source, store: AssetStore, { sha256, listed }: WantedContent): Promise<boolean> {
  for (const encoding of storedEncodings) {
    const name = storedName({ sha256, encoding })
    const isNeeded = listed.has(name.slice(assetsFolder.length))
    const isThere = isNeeded || (await source.target.get(name)) !== null
    if (!isThere && encoding === 'identity') return false
    if (isThere)
      await store.put({ sha256, encoding }, { byteCount: 0, chunks: contentOf(source, name, { sha256, encoding }) })
  }
  return true
}

async function* contentOf({ target, keys }: Source, name: string, { sha256, encoding }: StoredBytes) {
  const head = await readHead(target, name, 'asset')
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of readBundle(target, name, { head, keys })) {
    hash.update(chunk)
    yield chunk
  }
  if (encoding === 'identity' && hash.digest('hex') !== sha256) {
    throw new ObjectFault(name, 'is damaged: its content has another hash')
  }
}
