import { leastFreeMb } from '../../capture/storage-room.ts'
import type { Config } from '../../config/config.ts'
import { count, timestamp } from '../../lib/quantities.ts'
import { type CheckResult, fault, ok, warning } from '../check-result.ts'
import { folderGone, folderGoneAdvice, otherBoxAdvice, otherBoxFound } from '../data-folder/other-box.ts'
import type { FolderInspector, FolderLook, Inspection } from './inspection.ts'

const othersMode = 0o077

export const newBoxAdvice = ({ cluster }: Pick<Inspection, 'cluster'>): string =>
  `${cluster === null ? newBox : newNode} If there was one before, check the spelling of data_dir and whether its volume is mounted.`

const newBox = 'A new box is made by `capture apply DIR` or `capture serve`.'
const newNode = '`capture cluster join` fills it from the cluster, and `capture serve` begins one where there is none.'

/** Checks the data folder's mode and owner. `exists`: the folder can be examined further. */
export function examineFolder(inspection: Inspection): { exists: boolean; results: CheckResult[] } {
  const { dataDir } = inspection.config
  const look = inspection.folder.look()
  switch (look.kind) {
    case 'absent':
      return { exists: false, results: [folderMissing(inspection)] }
    case 'no folder':
      return { exists: false, results: [fault('data folder', `${dataDir} is not a folder.`, 'Set `data_dir` to one.')] }
    case 'folder':
      return { exists: true, results: [modeCheck(dataDir, look), ...keyCheck(look), writableCheck(look)] }
  }
}

function folderMissing(inspection: Inspection): CheckResult {
  const { configFile, folder } = inspection
  const { dataDir } = inspection.config
  const [aside] = folder.movedAside()
  if (aside !== undefined) return fault('data folder', folderGone(dataDir), folderGoneAdvice(dataDir, aside))
  const found = `${dataDir} does not exist.`
  const [other] = folder.otherBoxes()
  if (other !== undefined) {
    return fault('data folder', `${found} ${otherBoxFound(other, { configFile })}`, otherBoxAdvice(other))
  }
  return fault('data folder', found, newBoxAdvice(inspection))
}

type Folder = Extract<FolderLook, { kind: 'folder' }>

function modeCheck(dataDir: string, { mode, uid }: Folder): CheckResult {
  if ((mode & othersMode) === 0) return ok('data folder', `${dataDir} is open only to its owner (user ${uid}).`)
  return fault(
    'data folder',
    `${dataDir} has mode ${octal(mode)}: other users of this machine may look in.`,
    `Run \`chmod 700 ${dataDir}\`.`,
  )
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

/** The key may be a link to a folder that is open to others. */
function keyCheck({ sealKey }: Folder): CheckResult[] {
  if (sealKey === null || (sealKey.mode & othersMode) === 0) return []
  const { file, mode } = sealKey
  return [
    warning(
      'secrets',
      `${file}, which opens what the database keeps sealed, has mode ${octal(mode)}: other users of this machine may read it.`,
      `Run \`chmod 600 ${file}\`.`,
    ),
  ]
}

function writableCheck({ unwritable }: Folder): CheckResult {
  if (unwritable === null) return ok('data folder', 'It can be written to.')
  return fault(
    'data folder',
    `It cannot be written to: ${unwritable}.`,
    'Mount the disk writable and give the folder to the user that runs `serve`.',
  )
}

export const roomAdvice = 'Free space on the disk, or lower `[limits] min_free_mb` in `capture.toml`.'
/** With less free space the database can write almost nothing. */
const fullMb = 1

/** Compares the free space of the data folder's volume with `min_free_mb`. */
export const examineDisk = async ({ folder, config }: Inspection): Promise<CheckResult> =>
  diskResult(await folder.freeMegabytes(), config.limits)

export function diskResult(freeMb: number, { minFreeMb }: Pick<Config['limits'], 'minFreeMb'>): CheckResult {
  const found = `${freeOnDisk(freeMb)}; \`min_free_mb\` is ${count(minFreeMb)}.`
  if (freeMb < fullMb) {
    return fault('disk', `${found} It is full: captures get 503 and are not stored.`, 'Free space on it.')
  }
  const { pageViews, events } = leastFreeMb(minFreeMb)
  if (freeMb < pageViews) {
    const lost = freeMb >= events ? 'Page views are' : 'Page views and events are'
    return fault('disk', `${found} ${lost} no longer stored.`, roomAdvice)
  }
  return ok('disk', found)
}

export const freeOnDisk = (freeMb: number): string => `${count(Math.floor(freeMb))} MB are free on the disk of the box`

/** Reports the process that has locked the folder. */
export async function examineServer({ folder, stalledThreads }: Inspection): Promise<CheckResult> {
  try {
    const holder = folder.servedBy()
    if (holder === null) return ok('server', 'No `serve` runs on this data folder.')
    const stalled = await stalledThreads()
    if (stalled.length > 0) return stalledServer(stalled)
    return ok('server', `Process ${holder.pid} holds the folder: ${holder.doing}, since ${holder.since}.`)
  } catch (error) {
    return fault(
      'server',
      `The folder's lock cannot be read: ${(error as Error).message}.`,
      'See the results for the data folder.',
    )
  }
}

const stalledServer = (stalled: readonly string[]): CheckResult =>
  fault(
    'server',
    `Threads of the server hang, and are not started again: the one that ${stalled.join(', the one that ')}.`,
    'Look for a disk or a network share that does not answer. Once it does, the server starts them again; if it never will, restart the machine.',
  )

/** Warns about an empty box whose configuration was used with another one: `data_dir` is probably misspelt. */
export function examineElsewhere(inspection: Inspection): CheckResult[] {
  const { config, configFile, folder } = inspection
  const [other] = holdsAccounts(inspection) ? [] : folder.otherBoxes()
  if (other === undefined) return []
  const found = `The box in ${config.dataDir} holds no account. ${otherBoxFound(other, { configFile })}`
  return [warning('data folder', found, otherBoxAdvice(other))]
}

/** An unreadable database counts as having accounts: another check reports it. */
function holdsAccounts({ openDatabase }: Inspection): boolean {
  try {
    const database = openDatabase()
    try {
      return database?.holdsAccounts() ?? false
    } finally {
      database?.close()
    }
  } catch (error) {
    return (error as { code?: string }).code !== 'SQLITE_CANTOPEN'
  }
}

/** Warns about leftovers of killed commands outside the data folder that the box knows about. */
export function examineUnfinished(
  folder: Pick<FolderInspector, 'unfinishedFiles' | 'unfinishedRestores'>,
): CheckResult[] {
  const written = folder
    .unfinishedFiles()
    .map(({ dir, file, begunAt }) =>
      unfinished(
        dir,
        `of ${file}, begun on ${timestamp(begunAt)}`,
        'The next `capture backup`, export into a file, or use of the console removes it',
      ),
    )
  const restored = folder
    .unfinishedRestores()
    .map((dir) => unfinished(dir, 'of a restore', 'The next `capture restore` removes it'))
  return [...written, ...restored]
}

const unfinished = (dir: string, what: string, removal: string): CheckResult =>
  warning(
    'unfinished',
    `${dir} is the leftover ${what} that was killed. It may contain personal data.`,
    `${removal}; or remove it yourself: rm -r ${dir}`,
  )
