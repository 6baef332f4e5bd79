import { faultWords } from '../../backup/target/backup-target.ts'
import { type BaseNote, type BaseStore, decodeBaseNote, type OpenedBase } from '../../cluster/base-store.ts'
import type { ClusterLog, LinkPlace } from '../../cluster/cluster-log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { RestorePorts } from '../backup/backup-ports.ts'
import { restoreRefusal } from '../backup/restore.ts'

export interface JoinPorts extends Pick<RestorePorts, 'folders' | 'rights'> {
  /** The clusters in the database, each as this node's secret opens it. */
  logs: readonly Pick<ClusterLog, 'base' | 'links'>[]
  bases: Pick<BaseStore, 'open' | 'url'>
  /** Of this program: the migrations that it knows. */
  schema: number
  /**
   * Checks a staged copy of the leader's database and makes it a follower's.
   *
   * @returns its place in the chain. @throws Error with a message that completes "the base …"
   */
  makeFollower(staged: string): Promise<LinkPlace | null>
}

export interface JoinedFolder {
  dataDir: string
  /** Bytes of the database. */
  bytes: number
  /** The link from which on it follows. */
  link: number
}

interface Joining {
  dataDir: string
  now: number
  onBytes: (bytes: number) => void
}

/**
 * Fills an empty folder from the newest base of a cluster. What is published comes later, as it is asked for.
 *
 * @throws OperatorError; nothing has changed then
 */
export async function joinCluster(ports: JoinPorts, joining: Joining): Promise<JoinedFolder> {
  const { folders, rights } = ports
  const { note, base } = await newestBase(ports)
  const { dataDir } = joining
  const place = await folders.prepare(dataDir, joining.now)
  let lock: { release(): void } | null = null
  try {
    if (place.isOccupied)
      throw new OperatorError(
        `The data folder ${dataDir} is in use or not empty: only an empty one can join a cluster. Stop its service, and move it aside or set another data_dir.`,
      )
    rights.asOwner()
    lock = folders.lock(place.staged, ['serve'])
    await folders.assetsOf(place.staged)
    await fill(ports, { note, base, staged: place.staged }, joining)
    rights.asCaller()
    await place.swap()
  } finally {
    rights.asCaller()
    place.discard()
    lock?.release()
  }
  return { dataDir, bytes: base.bytes, link: note.place.number }
}

/** Inside a data folder: becomes its database when a service opens it next. */
export interface StagedDatabase {
  /** The folder to fill. */
  readonly staged: string
  finish(now: number): Promise<void>
  /** Unless it is finished. */
  discard(): void
}

type JoinAnewPorts = Omit<JoinPorts, 'folders' | 'rights'> & {
  folders: Pick<RestorePorts['folders'], 'writeDatabase' | 'writeSealKey' | 'sync'>
  /** @throws OperatorError when there is no room */
  stage(dataDir: string, bytes: number): Promise<StagedDatabase>
}

/**
 * Fetches the newest base of the cluster for a node that cannot follow on from its own database, which stays as it is.
 *
 * @throws OperatorError
 */
export async function joinAnew(ports: JoinAnewPorts, joining: Joining): Promise<void> {
  const { note, base } = await newestBase(ports)
  const place = await ports.stage(joining.dataDir, base.bytes)
  try {
    await fill(ports, { note, base, staged: place.staged }, joining)
    await place.finish(joining.now)
  } finally {
    place.discard()
  }
}

type BasePorts = Pick<JoinPorts, 'logs' | 'bases' | 'schema'>

async function newestBase({ logs, bases, schema }: BasePorts): Promise<{ note: BaseNote; base: OpenedBase }> {
  if (logs.length === 0) throw new OperatorError(noCluster)
  const { note, log } = await openedNote(logs)
  const base = await inStore(bases.url, () => bases.open(note.name))
  const isGone = base === null || (await log.links(note.place)) === 'elsewhere'
  if (isGone) throw new OperatorError('The cluster has just got a new base. Run this again in a minute.')
  assertSameSchema(base, schema)
  return { note, base }
}

type Log = JoinPorts['logs'][number]

/** Of several clusters in one database, the secret tells which it is. */
async function openedNote(logs: readonly Log[]): Promise<{ note: BaseNote; log: Log }> {
  const refusals: OperatorError[] = []
  for (const log of logs) {
    try {
      const link = await log.base()
      if (link !== null) return { note: decodeBaseNote(link.body), log }
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      refusals.push(error)
    }
  }
  throw refusals.length < logs.length ? new OperatorError(noBase) : refusals[0]
}

const noCluster =
  'There is no cluster in this database yet. A box begins one when it is served with this [cluster] in its capture.toml: do that first, on the machine that has the records.'
const noBase =
  'The cluster has no base yet, which its leader puts into the store some seconds after it begins. Run this again in a minute; the leader’s log says what keeps it.'

function assertSameSchema({ schema, program }: OpenedBase, own: number): void {
  if (schema > own)
    throw new OperatorError(
      `The cluster is at a newer version, ${program}: install that version here, and run this again.`,
    )
  if (schema < own)
    throw new OperatorError(
      `The cluster is at an older version, ${program}: install that version here, join, and upgrade this node after the leader.`,
    )
}

async function fill(
  { folders, bases, makeFollower }: Omit<JoinAnewPorts, 'stage'>,
  { note, base, staged }: { note: BaseNote; base: OpenedBase; staged: string },
  { dataDir, onBytes }: Joining,
): Promise<void> {
  await inStore(bases.url, () => folders.writeDatabase(staged, counted(base.database(), onBytes)))
  if (base.sealKey !== null) folders.writeSealKey(staged, base.sealKey, dataDir)
  const at = await makeFollower(staged)
  if (at?.id !== note.place.id)
    throw new OperatorError(`The base ${note.name} is not what the cluster says of it. Nothing was changed.`)
  await folders.sync(staged)
}

async function* counted(chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void) {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}

async function inStore<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = faultWords(error)
    if (fault === null) throw restoreRefusal(url, error)
    throw new OperatorError(`The cluster’s store ${url} ${fault}. Nothing was changed.`)
  }
}
