import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AssetStore } from '../../asset/asset-store.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { byteSize, plural } from '../../lib/quantities.ts'
import { lostAdvice } from '../../operations/database/disk-fault.ts'
import { openAssetStore } from '../../storage/filesystem/asset-store.ts'
import { FileRefusalReserve } from '../../storage/filesystem/refusal-reserve.ts'
import { type Connection, openReader } from '../../storage/sqlite/connection.ts'
import { lostRecords } from '../../storage/sqlite/lost-records.ts'
import { schemaState } from '../../storage/sqlite/migrations.ts'
import { referencedHashes } from '../../storage/sqlite/referenced-hashes.ts'
import { isDamage } from '../../storage/sqlite/salvage/damage.ts'
import { cannotBeOpened, cannotBeRead, type DatabaseFault, damageOf } from '../database-fault.ts'
import type { Session } from '../session.ts'
import { wayBack } from '../snapshots.ts'
import { examineContents } from './contents.ts'
import { examineErasures } from './erasures.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { newBoxAdvice } from './folder.ts'
import { examineProcessing } from './processing.ts'
import { examineRecords } from './records.ts'
import { examineRemovals } from './removals.ts'
import { examineRetention } from './retention.ts'

/** A server checkpoints its log at 2 MB; one this large stays behind a reader that never lets go. */
const walBytesMax = 64 * 1024 * 1024
const lossesSinceMs = 86_400_000
const missingShown = 3

/** Everything that the database says; a broken one is one finding and ends the look. */
export async function examineDatabase(
  { dataDir }: Config,
  { deep, session }: { deep: boolean; session: Session },
): Promise<Finding[]> {
  const { clock } = session
  const file = join(dataDir, 'capture.db')
  if (!existsSync(file)) return [absent(dataDir)]
  let reader: Connection
  try {
    reader = openReader(file)
  } catch (error) {
    return [databaseFinding(cannotBeOpened(file, error))]
  }
  try {
    const damage = damageOf(file, reader)
    if (damage !== null) return [databaseFinding(damage), ...(await recordsIn(reader))]
    if (schemaState(reader).applied === 0) return [absent(dataDir)]
    const schema = await examineSchema(reader, dataDir, session)
    const findings = [ok('database', `${file} is intact (${byteSize(statSync(file).size)}).`), schema, examineLog(file)]
    // Tables of another schema are not ours to read.
    if (schema.status !== 'ok') return findings
    const store = await assetsIn(join(dataDir, 'assets'))
    const assets = await examineAssets(reader, store)
    return [
      ...findings,
      assets,
      ...(deep ? [await examineContents(reader, store)] : []),
      await examineRecords(reader),
      examineLosses(reader, dataDir, clock),
      ...examineProcessing(reader, clock),
      ...examineRemovals(reader),
      ...examineErasures(reader),
      ...(await examineRetention(reader, clock)),
    ]
  } catch (error) {
    return [databaseFinding(cannotBeRead(file, error))]
  } finally {
    reader.raw.close()
  }
}

const databaseFinding = ({ found, advice }: DatabaseFault): Finding => fault('database', found, advice)

/** Of a damaged database: none, where it cannot even tell the accounts. */
async function recordsIn(reader: Connection): Promise<Finding[]> {
  try {
    return schemaState(reader).fault === null ? [await examineRecords(reader)] : []
  } catch (error) {
    if (isDamage(error)) return []
    throw error
  }
}

function absent(dataDir: string): Finding {
  if (!existsSync(join(dataDir, 'assets'))) return warning('database', 'There is none yet.', newBoxAdvice)
  return fault('database', 'It is gone, though there are published contents.', lostAdvice)
}

async function examineSchema(reader: Connection, dataDir: string, session: Session): Promise<Finding> {
  const { applied, known, fault: unusable } = schemaState(reader)
  if (unusable !== null) return fault('schema', unusable, await wayBack(dataDir, session))
  if (applied === known) return ok('schema', 'The database is at the schema of this version.')
  return warning(
    'schema',
    `The database is ${plural(known - applied, 'step')} behind this version.`,
    'Start `serve` anew: it writes a snapshot and brings the database up to date.',
  )
}

function examineLog(file: string): Finding {
  const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const found = `The write-ahead log has ${byteSize(bytes)}.`
  if (bytes <= walBytesMax) return ok('log', found)
  return warning(
    'log',
    found,
    'Something reads without an end and keeps it from shrinking: end old exports and backups.',
  )
}

/** Opening makes the folder, and a look is to change nothing. */
const assetsIn = async (dir: string): Promise<Pick<AssetStore, 'open'>> =>
  existsSync(dir) ? openAssetStore(dir) : { open: async () => null }

async function examineAssets(reader: Connection, store: Pick<AssetStore, 'open'>): Promise<Finding> {
  const missing: string[] = []
  let looked = 0
  let absent = 0
  for (const sha256 of referencedHashes(reader)) {
    looked++
    if ((await store.open({ sha256, encoding: 'identity' })) !== null) continue
    absent++
    if (missing.length < missingShown) missing.push(sha256)
  }
  if (absent === 0)
    return ok('contents', `${plural(looked, 'published content')} ${looked === 1 ? 'is' : 'are'} there.`)
  const more = absent > missing.length ? ', …' : ''
  return fault(
    'contents',
    `${plural(absent, 'published content')} of ${looked} missing in assets/: ${missing.join(', ')}${more}.`,
    'Apply the site folders that have it: `capture apply DIR` stores it again. What no folder has any more, a backup may have.',
  )
}

function examineLosses(reader: Connection, dataDir: string, clock: Clock): Finding {
  const held = new FileRefusalReserve(dataDir).held()
  const losses = lostRecords(reader, clock.now() - lossesSinceMs, held)
  if (losses.length === 0) return ok('losses', 'Nothing was lost for want of room or a disk in the last day.')
  const list = losses.map(({ handle, endpoint, count }) => `${plural(count, endpoint)} of ${handle}`).join(', ')
  return warning(
    'losses',
    `Not stored in the last day: ${list}.`,
    'See to the disk; forms and events answered 503 and may have been sent again.',
  )
}
