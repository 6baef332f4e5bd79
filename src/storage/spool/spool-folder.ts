import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChallengeSpend } from '../../capture/write-batch.ts'
import { batchBytesMax } from '../../cluster/cluster-log.ts'
import { placeOf } from '../../cluster/cluster-seal.ts'
import { type KeptPiece, type NodeSpool, pieceCharactersMax, type Round, spoolBytesMax } from '../../cluster/spool.ts'
import { newId } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { syncPath } from '../disk/synced.ts'
import { framed, readFrame } from './spool-file.ts'

const folderName = 'spool'
const ending = '.spool'
/** Of a file that is damaged somewhere, once everything else in it is in the cluster. */
const damagedEnding = '.damaged'
const fileMode = 0o600
/** Where a file ends and the next begins: so much is read at once. */
const fileBytesMax = 8 * 1024 * 1024
/** For the rows of a batch and its seal beside what is measured here. */
const batchMarginBytes = 4096
const probeBytes = 4096
/** A challenge lives for ten minutes. */
const challengeMs = 15 * 60_000

/** What stands in a node's spool, as its folder shows. */
export interface SpooledBytes {
  /** That wait for the cluster. */
  waiting: number
  /** Names of files that are damaged somewhere, for the operator to look at. */
  damaged: string[]
}

/** What the node with this data folder keeps, whether it is served or not. */
export function spooledIn(dataDir: string): SpooledBytes {
  const folder = join(dataDir, folderName)
  const names = namesIn(folder)
  const waiting = names.filter(isWaiting).reduce((sum, name) => sum + bytesOf(join(folder, name)), 0)
  return { waiting, damaged: names.filter((name) => name.endsWith(damagedEnding)).map((name) => join(folder, name)) }
}

interface SpoolOptions {
  dataDir: string
  seal: { seal(bytes: Uint8Array, place: string): Uint8Array; open(bytes: Uint8Array, place: string): Uint8Array }
  /** Called once for each file that is damaged somewhere. */
  onDamage: (file: string) => void
  bytesMax?: number
}

interface Writing {
  id: string
  handle: FileHandle
  bytes: number
}

interface Reading {
  id: string
  bytes: Buffer
  at: number
}

/**
 * A node's spool in files of its data folder, one after the other. Each process begins a file of its own, so that what a kill
 * has cut off is the end of one. Rounds are sealed, as they are in the database: an erased address is in no file.
 */
export class SpoolFolder implements NodeSpool {
  private readonly folder: string
  /** Bytes of each file, oldest first: ids are in the order of time. */
  private readonly files: Map<string, number>
  private writing: Writing | null = null
  private reading: Reading | null = null
  private readonly damaged = new Set<string>()
  /** What is under way: nothing writes beside anything else. */
  private queue: Promise<unknown> = Promise.resolve()

  constructor(private readonly options: SpoolOptions) {
    this.folder = join(options.dataDir, folderName)
    const names = namesIn(this.folder).filter(isWaiting).sort()
    this.files = new Map(names.map((name) => [name.slice(0, -ending.length), bytesOf(join(this.folder, name))]))
  }

  get bytes(): number {
    let sum = 0
    for (const bytes of this.files.values()) sum += bytes
    return sum
  }

  keep(round: Round): Promise<void> {
    const pressed = Bun.zstdCompressSync(JSON.stringify(round), { level: 1 })
    if (pressed.byteLength > batchBytesMax - batchMarginBytes)
      return Promise.reject(new RangeError('the batch is too large for a cluster'))
    return this.inTurn(() => this.write(pressed))
  }

  prove(): Promise<void> {
    return this.inTurn(async () => {
      this.assertRoom(probeBytes)
      const path = join(await this.ownFolder(), 'probe')
      const handle = await open(path, 'w', fileMode)
      try {
        await handle.writeFile(Buffer.alloc(probeBytes, 1))
        await handle.datasync()
      } finally {
        await handle.close()
      }
      // What is there would be written over, also on a full disk.
      await rm(path)
    })
  }

  async next(): Promise<KeptPiece | null> {
    const [oldest] = this.files.keys()
    if (oldest === undefined) return null
    const reading = await this.readingOf(oldest)
    const rounds: Round[] = []
    let characters = 0
    let end = reading.at
    for (;;) {
      const found = readFrame(reading.bytes, end)
      if (found.is === 'end') break
      if (found.is === 'damage') this.noteDamage(oldest)
      else {
        const round = this.opened(oldest, found)
        characters += round.json.length
        if (rounds.length > 0 && characters > pieceCharactersMax) break
        rounds.push(round)
      }
      end = found.end
    }
    return { file: oldest, from: reading.at, to: end, rounds }
  }

  moveTo({ file, at }: { file: string; at: number }): void {
    if (this.reading?.id === file) this.reading.at = at
  }

  letGo(file: string): Promise<boolean> {
    return this.inTurn(async () => {
      const { writing, reading } = this
      if (writing?.id === file) {
        if (reading?.id !== file || reading.bytes.length < writing.bytes) return false
        await this.endFile()
      }
      const path = this.pathOf(file)
      if (this.damaged.has(file)) await rename(path, join(this.folder, `${file}${damagedEnding}`))
      else await rm(path)
      await syncPath(this.folder)
      this.files.delete(file)
      this.reading = null
      return true
    })
  }

  async spends(now: number): Promise<ChallengeSpend[]> {
    const spends: ChallengeSpend[] = []
    for (const id of this.files.keys()) {
      if (statSync(this.pathOf(id)).mtimeMs < now - challengeMs) continue
      const bytes = await readFile(this.pathOf(id))
      for (let at = 0; ; ) {
        const found = readFrame(bytes, at)
        if (found.is === 'end') break
        if (found.is === 'round') spends.push(...this.opened(id, found).spends)
        at = found.end
      }
    }
    return spends.filter(({ expiresAt }) => expiresAt > now)
  }

  close(): Promise<void> {
    return this.inTurn(() => this.endFile())
  }

  /** @throws as `keep` */
  private async write(pressed: Uint8Array): Promise<void> {
    this.assertRoom(pressed.byteLength)
    this.writing ??= await this.beginFile()
    const { writing } = this
    const { id, handle, bytes: at } = writing
    const frame = framed(this.options.seal.seal(pressed, roundPlace(id, at)))
    try {
      // A disk that is nearly full takes a part.
      for (let done = 0; done < frame.length; )
        done += (await handle.write(frame, done, frame.length - done, at + done)).bytesWritten
      await handle.datasync()
    } catch (error) {
      // What is there of it would come out, although nobody was told that it is kept.
      await truncate(this.pathOf(id), at).catch(() => {})
      await this.endFile().catch(() => {})
      throw error
    }
    writing.bytes += frame.length
    this.files.set(id, writing.bytes)
    if (writing.bytes >= fileBytesMax) await this.endFile()
  }

  private assertRoom(bytes: number): void {
    const { bytesMax = spoolBytesMax } = this.options
    if (this.bytes + bytes > bytesMax) throw new Error('this node keeps all that it may until the database answers')
  }

  private async beginFile(): Promise<Writing> {
    const id = newId()
    const handle = await open(join(await this.ownFolder(), `${id}${ending}`), 'wx', fileMode)
    try {
      await syncPath(this.folder)
    } catch (error) {
      await handle.close()
      throw error
    }
    this.files.set(id, 0)
    return { id, handle, bytes: 0 }
  }

  private async endFile(): Promise<void> {
    const { writing } = this
    this.writing = null
    await writing?.handle.close()
  }

  private async ownFolder(): Promise<string> {
    if (mkdirSync(this.folder, { recursive: true, mode: 0o700 }) !== undefined) await syncPath(this.options.dataDir)
    return this.folder
  }

  /** With all that is on disk of the file. */
  private async readingOf(id: string): Promise<Reading> {
    const length = this.files.get(id) ?? 0
    if (this.reading?.id === id && this.reading.bytes.length >= length) return this.reading
    const at = this.reading?.id === id ? this.reading.at : 0
    // Beyond its length is what is being written now.
    const bytes = (await readFile(this.pathOf(id))).subarray(0, length)
    this.reading = { id, bytes, at }
    return this.reading
  }

  private opened(file: string, { sealed, at }: { sealed: Buffer; at: number }): Round {
    const pressed = this.unsealed(sealed, roundPlace(file, at))
    return JSON.parse(Buffer.from(Bun.zstdDecompressSync(new Uint8Array(pressed))).toString()) as Round
  }

  private unsealed(sealed: Buffer, place: string): Uint8Array {
    try {
      return this.options.seal.open(sealed, place)
    } catch {
      throw new OperatorError(
        `What this node keeps in ${this.folder} was sealed with another secret than that of [cluster] secret_file. Bring that one back. Without it, move the folder aside: what is in it is lost.`,
      )
    }
  }

  private noteDamage(file: string): void {
    if (this.damaged.has(file)) return
    this.damaged.add(file)
    this.options.onDamage(this.pathOf(file))
  }

  private pathOf(file: string): string {
    return join(this.folder, `${file}${ending}`)
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work)
    this.queue = turn.catch(() => {})
    return turn
  }
}

const isWaiting = (name: string): boolean => name.endsWith(ending)

const roundPlace = (file: string, at: number): string => placeOf('spool', file, at)

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
