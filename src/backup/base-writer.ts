import { type AssetStore, storedEncodings } from '../asset/asset-store.ts'
import { isSound } from '../asset/sound-bytes.ts'
import { assetsFolder, storedBytesNamed, storedName } from '../asset/stored-name.ts'
import type { Clock } from '../lib/clock.ts'
import { writeBundle } from './format/bundle.ts'
import { writeContent } from './format/contents.ts'
import { ledgerLines } from './format/increment-lines.ts'
import { assetListName, type BasePoint, baseName, bundleOf, erasuresName } from './format/object-names.ts'
import { type Compress, openSealer, type Sealer, sealKeyContext } from './format/sealing.ts'
import { noteLatestBase } from './owner.ts'
import type { BackupSource, CopiedDatabase } from './source.ts'
import type { BackupTarget } from './target/backup-target.ts'

interface BaseWriting {
  target: BackupTarget
  source: BackupSource
  assets: AssetWriter
  recipients: readonly string[]
  compress: Compress
  history: string
  /** The moment of the base, epoch milliseconds. */
  at: number
  /** Whether the contents that the target lacks go there before the base. Otherwise a restore takes what is there by then. */
  sendsContents: boolean
  /** The program's version. */
  program: string
  /** A file for the copy of the database, which is removed afterwards. */
  scratch: () => { file: string; remove(): void }
  /** @throws TargetFault when the target is no longer this box's */
  assertOurs: () => Promise<void>
  breathe: () => Promise<void>
  signal: AbortSignal
}

export interface WrittenBase extends BasePoint {
  bytes: number
  assets: number
  missingAssets: number
}

/** Puts a base with everything that it needs; its head comes last. @throws TargetFault, or the error of the copy */
export async function writeBase(writing: BaseWriting): Promise<WrittenBase> {
  const { assets, compress, sendsContents, source, recipients, scratch, signal } = writing
  const sealer = await openSealer(recipients, compress)
  // Before the copy: sending takes long, and contents that are unpublished meanwhile are collected.
  if (sendsContents) await assets.send(source.hashes(), sealer, signal)
  const { file, remove } = scratch()
  try {
    const copy = await source.copyTo(file, signal)
    try {
      return await putBase(writing, copy)
    } finally {
      copy.close()
    }
  } finally {
    remove()
  }
}

async function putBase(writing: BaseWriting, copy: CopiedDatabase): Promise<WrittenBase> {
  const { target, assets, compress, sendsContents, recipients, history, at, program, source, signal } = writing
  const { processed, to } = copy
  const sealer = await openSealer(recipients, compress)
  const unsealed = await openSealer([], compress)
  const name = baseName({ at, history, to })
  const { names, missing } = await (sendsContents
    ? assets.send(copy.hashes(), sealer, signal)
    : assets.present(copy.hashes()))
  const header = () => ({ kind: 'list' as const })
  const list = [Buffer.from(names.map((content) => `${content}\n`).join(''))]
  const beside =
    (await writeBundle(target, unsealed, { name: assetListName(name), header, chunks: list })) +
    (await writeBundle(target, sealer, { name: erasuresName(name), header, chunks: ledgerLines(copy.erasures()) }))
  const sealKey =
    copy.sealKey &&
    Buffer.from(await sealer.seal(new Uint8Array(copy.sealKey), sealKeyContext(name))).toString('base64')
  const bytes = await writeBundle(target, sealer, {
    name,
    header: () => ({
      kind: 'base',
      processed,
      program,
      schema: source.schema,
      databaseBytes: copy.bytes,
      missingAssets: missing,
      ...(sealKey === null ? {} : { sealKey }),
    }),
    chunks: unhurried(Bun.file(copy.file).stream(), writing),
  })
  await noteLatestBase(target, { name, at })
  return { kind: 'base', name, at, history, to, bytes: bytes + beside, assets: names.length, missingAssets: missing }
}

async function* unhurried(
  chunks: AsyncIterable<Uint8Array>,
  { assertOurs, breathe, signal }: Pick<BaseWriting, 'assertOurs' | 'breathe' | 'signal'>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    await breathe()
    yield chunk
  }
  // The head comes next, and makes a base of it.
  await assertOurs()
}

/** The longest work without a pause, and so the longest that captures wait for the processor. */
const workMsMax = 20

/**
 * Returns a function that sometimes pauses, so that work takes at most a share of the time.
 *
 * @param share of the time, above 0 and up to 1
 */
export function breather(clock: Pick<Clock, 'monotonicMs'>, share: number): () => Promise<void> {
  let sinceMs = clock.monotonicMs()
  return async () => {
    const workedMs = clock.monotonicMs() - sinceMs
    if (workedMs < workMsMax) return
    await Bun.sleep(Math.min(workedMs / share - workedMs, pauseMsMax))
    sinceMs = clock.monotonicMs()
  }
}

/** A slow target leaves enough time by itself. */
const pauseMsMax = 200

/** What nobody waits for: bases after the first one, and checks. */
export const calmShare = 0.2
/** A first base, until which nothing is protected, and one that somebody waits for. */
export const promptShare = 0.5

interface SentAssets {
  /** Names below `assets/`, in the requested order. */
  names: string[]
  missing: number
}

/** Sends published bytes to a target, each content once. */
export class AssetWriter {
  /** Names of contents at the target; `null`: not known yet. */
  private there: Set<string> | null = null

  constructor(
    private readonly target: BackupTarget,
    private readonly assets: Pick<AssetStore, 'open'>,
  ) {}

  /** Sends the contents that the target lacks, with all variants that the box has. @throws TargetFault, or the signal's reason */
  async send(hashes: Iterable<string>, sealer: Sealer, signal: AbortSignal): Promise<SentAssets> {
    const there = await this.namesThere()
    return gathered(hashes, (sha256) => {
      signal.throwIfAborted()
      return this.sendContent(sha256, sealer, there)
    })
  }

  /** What the target has of these, with nothing sent. @throws TargetFault */
  async present(hashes: Iterable<string>): Promise<SentAssets> {
    const there = await this.namesThere()
    return gathered(hashes, async (sha256) =>
      storedEncodings.map((encoding) => storedName({ sha256, encoding })).filter((name) => there.has(name)),
    )
  }

  /** Whether more bytes of these would have to be sent. @throws TargetFault */
  async lacksMoreThan(bytesMax: number, hashes: Iterable<string>): Promise<boolean> {
    const there = await this.namesThere()
    let bytes = 0
    for (const sha256 of hashes) {
      if (there.has(storedName({ sha256, encoding: 'identity' }))) continue
      bytes += (await this.assets.open({ sha256, encoding: 'identity' }))?.size ?? 0
      if (bytes > bytesMax) return true
    }
    return false
  }

  /** Lists the target again before the next content is sent. */
  forget(): void {
    this.there = null
  }

  /**
   * Puts an object again that is missing or damaged at the target.
   *
   * @param object its name, or that of one of its parts
   * @returns whether the box has sound bytes for it
   */
  async replace(object: string, sealer: Sealer): Promise<boolean> {
    const name = bundleOf(object)
    const key = storedBytesNamed(name)
    const bytes = key === null ? null : await this.assets.open(key)
    if (key === null || bytes === null || !(await isSound(key, bytes))) return false
    await writeContent(this.target, sealer, { key, body: bytes })
    this.there?.add(name)
    return true
  }

  private async sendContent(sha256: string, sealer: Sealer, there: Set<string>): Promise<string[]> {
    const names: string[] = []
    for (const encoding of storedEncodings) {
      const key = { sha256, encoding }
      const name = storedName(key)
      const body = await this.assets.open(key)
      if (body === null && encoding === 'identity') return []
      if (body === null) continue
      if (!there.has(name)) {
        await writeContent(this.target, sealer, { key, body })
        there.add(name)
      }
      names.push(name)
    }
    return names
  }

  /** Only heads: a bundle without a head was interrupted. */
  private async namesThere(): Promise<Set<string>> {
    if (this.there !== null) return this.there
    const there = new Set<string>()
    for await (const { name } of this.target.list(assetsFolder)) if (bundleOf(name) === name) there.add(name)
    this.there = there
    return there
  }
}

async function gathered(hashes: Iterable<string>, namesOf: (sha256: string) => Promise<string[]>): Promise<SentAssets> {
  const assets: SentAssets = { names: [], missing: 0 }
  for (const sha256 of hashes) {
    const names = await namesOf(sha256)
    assets.names.push(...names.map((name) => name.slice(assetsFolder.length)))
    if (names.length === 0) assets.missing++
  }
  return assets
}
