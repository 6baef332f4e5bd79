import type { Clock } from '../lib/clock.ts'
import type { AssetWriter } from './asset-writer.ts'
import { writeBundle } from './format/bundle.ts'
import { ledgerLines } from './format/increment-lines.ts'
import { assetListName, type BasePoint, baseName, erasuresName } from './format/object-names.ts'
import { type Compress, openSealer, sealKeyContext } from './format/sealing.ts'
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
