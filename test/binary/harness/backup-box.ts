import { Database } from 'bun:sqlite'
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pointNamed } from '../../../src/backup/format/object-names.ts'
import { newKeyPair } from '../../../src/backup/format/sealing.ts'
import { aForm, aSite } from '../../harness/a-site.ts'
import { eventually } from '../../harness/eventually.ts'
import { BinaryBox } from './binary-box.ts'

/** A box with a target of its own, and the identity that opens it. */
export interface BackedUpBox extends AsyncDisposable {
  box: BinaryBox
  /** `file:///…` */
  target: string
  folder: string
  /** The file with the identity. */
  identity: string
}

interface Options {
  /** Default: one recipient. */
  recipients?: string[]
  backup?: Record<string, unknown>
  /** Whether its executable is its own, so that it can be upgraded. */
  installs?: boolean
  /** A box whose site it has already. Default: it applies one. */
  copyOf?: BinaryBox
}

/** What a box with a target has published. */
export const backedUpSite = aSite({ forms: [aForm()], files: { 'pages/launch.html': 'Hello' } })

/** A box with a published site, whose service sends an increment every second. */
export async function backedUpBox(options: Options = {}): Promise<BackedUpBox> {
  const { recipients, backup = {}, installs = false, copyOf } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capture-target-')))
  const pair = await newKeyPair()
  const target = `file://${folder}`
  const box = await BinaryBox.make({
    backup: { to: [target], increment_every: '1s', recipients: recipients ?? [pair.recipient], ...backup },
    installs,
  })
  const identity = join(box.dir, 'identity.txt')
  await Bun.write(identity, `# made by a test\n${pair.identity}\n`)
  if (copyOf === undefined) await box.apply(backedUpSite)
  else copyOf.copyTo(box)
  return {
    ...{ box, target, folder, identity },
    async [Symbol.asyncDispose]() {
      await box[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Keeps the box and its target as they are. @returns what makes them so again, while nobody serves */
export function kept({ box, folder }: BackedUpBox): () => void {
  const places = [box.dataDir, folder].map((place, index) => ({ place, copy: join(box.dir, `kept-${index}`) }))
  for (const { place, copy } of places) cpSync(place, copy, { recursive: true })
  return () => {
    for (const { place, copy } of places) {
      rmSync(place, { recursive: true, force: true })
      cpSync(copy, place, { recursive: true })
    }
  }
}

/** Names of the target's objects below a folder. */
export const objectsIn = (folder: string, below: string): string[] =>
  (existsSync(join(folder, below)) ? readdirSync(join(folder, below), { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** The bases and increments of the target. */
export const pointsIn = (folder: string) =>
  [...objectsIn(folder, 'bases'), ...objectsIn(folder, 'increments')].flatMap((name) => pointNamed(name) ?? [])

/** Waits until the target has everything that the ledger has by now. */
export async function isBackedUp({ box, folder }: BackedUpBox): Promise<void> {
  const to = lastPosition(box)
  await eventually(`the target has what is up to ${to}`, async () =>
    [...objectsIn(folder, 'bases'), ...objectsIn(folder, 'increments')].some((name) => positionOf(name) >= to),
  )
}

function lastPosition({ databaseFile }: BinaryBox): number {
  using database = new Database(databaseFile, { readonly: true })
  return database.query<{ to: number }, []>('SELECT coalesce(max(sequence), 0) AS "to" FROM ledger').get()?.to ?? 0
}

const positionOf = (name: string): number => Number(/_(\d+)(?:_erasures)?$/.exec(name)?.[1] ?? -1)
