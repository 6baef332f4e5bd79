import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isDatabaseMade, namesIn } from './data-folder.ts'

/** Where a command looks for the intended box. */
export interface Whereabouts {
  dataDir: string
  /** Absolute; `null`: no file, so the defaults apply. */
  configFile: string | null
  cwd: string
}

const noteName = 'used-by.json'
const namesMax = 1000
/** How many parts of the path, from its end, may be misspelt. */
const partsLookedAt = 2
/** Folders that a restore moved aside or has not finished. */
const putAside = /\.(?:before-restore|restoring)-/

/**
 * Boxes that this configuration was used for, as far as they are in likely places: the default one, and where the data
 * folder would be if one of the last parts of its path were spelt differently. A box without a note counts if it is
 * right beside the data folder.
 */
export function otherBoxes(where: Whereabouts): string[] {
  const own = realPath(where.dataDir)
  // First what most fail at: a home may have a thousand folders.
  return [...new Set(candidates(where))].filter(
    (dir) => isBox(dir) && realPath(dir) !== own && !putAside.test(basename(dir)) && isOfConfiguration(dir, where),
  )
}

function* candidates({ dataDir, configFile, cwd }: Whereabouts): Generator<string> {
  yield resolve(configFile === null ? cwd : dirname(configFile), 'data')
  let misspelt = dataDir
  for (let part = 0; part < partsLookedAt && dirname(misspelt) !== misspelt; part++, misspelt = dirname(misspelt)) {
    const behind = relative(misspelt, dataDir)
    for (const name of namesIn(dirname(misspelt)).slice(0, namesMax)) yield join(dirname(misspelt), name, behind)
  }
}

function isOfConfiguration(dir: string, { dataDir, configFile }: Whereabouts): boolean {
  const noted = readNote(dir)
  if (noted === undefined || (noted !== null && !existsSync(noted))) return dirname(dir) === dirname(dataDir)
  return noted === realConfiguration(configFile)
}

function isBox(dir: string): boolean {
  try {
    return isDatabaseMade(join(dir, 'capture.db'))
  } catch {
    return false
  }
}

/** `undefined`: missing or unreadable. */
function readNote(dataDir: string): string | null | undefined {
  try {
    const { config } = JSON.parse(readFileSync(join(dataDir, noteName), 'utf8')) as { config: string | null }
    return config
  } catch {
    return undefined
  }
}

/**
 * Notes in the data folder which configuration was used. Only a hint: a folder that cannot be written to is served all
 * the same.
 */
export function noteConfiguration({ dataDir, configFile }: Whereabouts): void {
  const config = realConfiguration(configFile)
  if (readNote(dataDir) === config) return
  try {
    writeFileSync(join(dataDir, noteName), `${JSON.stringify({ config })}\n`, { mode: 0o600 })
  } catch {
    // The disk is full or read-only, which is reported elsewhere.
  }
}

const realConfiguration = (file: string | null): string | null => (file === null ? null : realPath(file))

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
