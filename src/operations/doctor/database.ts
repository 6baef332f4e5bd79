import type { AssetStore } from '../../asset/asset-store.ts'
import { damagedBytes } from '../../asset/sound-bytes.ts'
import type { Clock } from '../../lib/clock.ts'
import { byteSize, count, plural } from '../../lib/quantities.ts'
import { accountNames, type NameOf } from '../account/account-names.ts'
import { damagedAssets } from '../asset/damaged-assets.ts'
import { type CheckResult, type Diagnosis, fault, ok, warning } from '../check-result.ts'
import { cannotBeOpened, cannotBeRead, damageOf, lostAdvice } from '../database/storage-fault.ts'
import { examineDeliveries, examineMail } from './deliveries.ts'
import { newBoxAdvice } from './folder.ts'
import type { DatabaseInspector, Inspection } from './inspection.ts'
import {
  examineAudit,
  examineErasures,
  examineProcessing,
  examineRecords,
  examineRemovals,
  examineRetention,
} from './records.ts'

/** A server checkpoints its log at 2 MB. A log this large means that a long-running reader prevents that. */
const walBytesMax = 64 * 1024 * 1024
const lossesSinceMs = 86_400_000

/** Checks everything in the database. A broken database gives one result and ends the checks. */
export async function examineDatabase(
  inspection: Inspection,
  { file, deep }: { file: string; deep: boolean },
): Promise<CheckResult[]> {
  let database: DatabaseInspector | null
  try {
    database = inspection.openDatabase()
  } catch (error) {
    return [databaseCheck(cannotBeOpened(file, error))]
  }
  if (database === null) return [absent(inspection)]
  try {
    return await examineOpened(database, inspection, deep)
  } catch (error) {
    return [databaseCheck(cannotBeRead(file, error))]
  } finally {
    database.close()
  }
}

async function examineOpened(
  database: DatabaseInspector,
  inspection: Inspection,
  deep: boolean,
): Promise<CheckResult[]> {
  const { clock, config, folder } = inspection
  const damage = damageOf(database)
  if (damage !== null) return [databaseCheck(damage)]
  if (database.schema().applied === 0) return [absent(inspection)]
  const schema = await examineSchema(database, inspection)
  const intact = ok('database', `${database.file} is intact (${byteSize(database.bytes())}).`)
  const results = [intact, schema, examineLog(database)]
  // Do not read the tables of another schema.
  if (schema.status !== 'ok') return results
  const store = await folder.assets()
  const { nameOf } = accountNames(await database.accounts.list())
  return [
    ...results,
    examineSecrets(database),
    await examinePresence(database, store, inspection.cluster),
    ...(deep ? [await examineContents(database, store)] : []),
    ...(await examineRecords(database)),
    examineLosses(database, clock, nameOf),
    ...examineProcessing(database, clock),
    ...examineRemovals(database),
    ...examineDeliveries(database.ailingDestinations(), config.mail, nameOf),
    ...(await examineMail(config.mail, database, nameOf)),
    ...examineErasures(database, nameOf),
    examineAudit(database),
    ...(await examineRetention(database, clock, nameOf)),
  ]
}

const databaseCheck = ({ found, advice }: Diagnosis): CheckResult => fault('database', found, advice)

function absent(inspection: Inspection): CheckResult {
  if (!inspection.folder.holdsContents())
    return warning('database', 'There is no database yet.', newBoxAdvice(inspection))
  return fault('database', 'It is gone, though there are published contents.', lostAdvice)
}

async function examineSchema(database: DatabaseInspector, { wayBack }: Inspection): Promise<CheckResult> {
  const { applied, known, fault: unusable } = database.schema()
  if (unusable !== null) return fault('schema', unusable, await wayBack())
  if (applied === known) return ok('schema', 'The database is at the schema of this version.')
  return warning(
    'schema',
    `The database is ${plural(known - applied, 'step')} behind this version.`,
    'Restart `serve`: it writes a snapshot and updates the database.',
  )
}

function examineLog(database: DatabaseInspector): CheckResult {
  const bytes = database.logBytes()
  const found = `The write-ahead log has ${byteSize(bytes)}.`
  if (bytes <= walBytesMax) return ok('log', found)
  return warning('log', found, 'A long-running reader keeps it from shrinking: end old exports and backups.')
}

function examineSecrets(database: DatabaseInspector): CheckResult {
  const unopened = database.sealFault()
  if (unopened === null) return ok('secrets', 'What the database keeps sealed can be opened.')
  return fault('secrets', unopened.found, unopened.advice)
}

function examineLosses(database: DatabaseInspector, clock: Clock, nameOf: NameOf): CheckResult {
  const losses = database.lostRecords(clock.now() - lossesSinceMs)
  if (losses.length === 0) return ok('losses', 'Nothing was lost for want of room or a disk in the last day.')
  const list = losses.map(({ handle, endpoint, count }) => `${plural(count, endpoint)} of ${nameOf(handle)}`).join(', ')
  return warning(
    'losses',
    `Not stored in the last day: ${list}.`,
    'Check the disk. Forms and events got 503 and may have been sent again.',
  )
}

const missingShown = 3

/** Checks that the contents in the database exist in the asset store. A node fetches what it lacks when it is asked for. */
async function examinePresence(
  database: Pick<DatabaseInspector, 'contents'>,
  store: Pick<AssetStore, 'open'>,
  cluster: Inspection['cluster'],
): Promise<CheckResult> {
  const absent: string[] = []
  let looked = 0
  for (const sha256 of database.contents()) {
    looked++
    if ((await store.open({ sha256, encoding: 'identity' })) === null) absent.push(sha256)
  }
  const shared = absent.length === 0 ? null : await cluster?.storedContents()
  const missing = absent.filter((sha256) => !shared?.has(sha256))
  const there = `${plural(looked, 'published content')} ${looked === 1 ? 'is' : 'are'} there`
  if (absent.length === 0) return ok('contents', `${there}.`)
  if (missing.length === 0)
    return ok(
      'contents',
      `${there}, ${count(absent.length)} of them in the store of the cluster until they are asked for.`,
    )
  // What the store has is not known: another check says why.
  if (shared === null)
    return ok('contents', `${count(absent.length)} of ${plural(looked, 'published content')} are not on this node yet.`)
  const more = missing.length > missingShown ? ', …' : ''
  return fault(
    'contents',
    `${plural(missing.length, 'published content')} of ${looked} missing in assets/: ${missing.slice(0, missingShown).join(', ')}${more}.`,
    'Apply the site folders that have it: `capture apply DIR` stores it again. If no site folder has the file, restore it from a backup.',
    publishAgain,
  )
}

/** Reads and hashes all published content, including compressed variants. */
async function examineContents(
  database: Pick<DatabaseInspector, 'contents' | 'publishedAs'>,
  store: Pick<AssetStore, 'open'>,
): Promise<CheckResult> {
  const damaged = await Array.fromAsync(damagedBytes(database.contents(), store))
  if (damaged.length === 0) return ok('bytes', 'All published contents that are there are as they were published.')
  const { found, advice } = damagedAssets(damaged, database.publishedAs)
  return fault('bytes', found, advice, publishAgain)
}

const publishAgain = {
  page: {
    name: 'overview',
    todo: 'Publish the site folders that have it again, each at its account in {page}. If no site folder has it, restore a backup from before the damage.',
  },
} as const
