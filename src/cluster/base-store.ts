import { findHead, readBundle, writeBundle } from '../backup/format/bundle.ts'
import { basesFolder, bundleOf } from '../backup/format/object-names.ts'
import { type Sealer, sealKeyContext, type Unsealer } from '../backup/format/sealing.ts'
import type { CopiedDatabase } from '../backup/source.ts'
import type { BackupTarget } from '../backup/target/backup-target.ts'
import { newId } from '../lib/id.ts'
import type { LinkPlace } from './cluster-log.ts'

/**
 * What a link of kind `base` says: from here on, empty folders can join from this copy of the leader's.
 *
 * The link stands behind others, by the same leader, that hold all of the copy. Before that it may hold what the chain
 * never gets, should its leader die.
 */
export interface BaseNote {
  /** In the store. */
  name: string
  /** Of the copied folder. Whoever joins applies what follows it in the chain, also what the copy already has. */
  place: LinkPlace
}

export const encodeBaseNote = (note: BaseNote): Uint8Array => new TextEncoder().encode(JSON.stringify(note))

export const decodeBaseNote = (body: Uint8Array): BaseNote => JSON.parse(new TextDecoder().decode(body)) as BaseNote

/** A base, of which nothing but its head has been read. */
export interface OpenedBase {
  /** Migrations of its database. */
  schema: number
  /** The version of the program that wrote it. */
  program: string
  bytes: number
  /** Opens the secrets in the database; `null`: none are sealed. */
  sealKey: Uint8Array | null
  /** Valid only once the end is reached. @throws ObjectFault, TargetFault */
  database(): AsyncIterable<Uint8Array>
}

/** Nobody that reads a base takes longer, or writes one. */
const keptMs = 24 * 60 * 60 * 1000

/** Copies of the leader's database, from which nodes join. Every method throws TargetFault. */
export class BaseStore {
  constructor(
    private readonly target: BackupTarget,
    private readonly sealing: Sealer & Unsealer,
  ) {}

  get url(): string {
    return this.target.url
  }

  /** @returns its name */
  async put(copy: CopiedDatabase, about: Pick<OpenedBase, 'schema' | 'program'>, signal: AbortSignal): Promise<string> {
    const { target, sealing } = this
    const name = basesFolder + newId()
    const sealKey = copy.sealKey && (await sealing.seal(new Uint8Array(copy.sealKey), sealKeyContext(name)))
    await writeBundle(target, sealing, {
      name,
      header: () => ({
        kind: 'base',
        ...{ ...about, processed: copy.processed, databaseBytes: copy.bytes, missingAssets: 0 },
        ...(sealKey === null ? {} : { sealKey: Buffer.from(sealKey).toString('base64') }),
      }),
      chunks: unlessAborted(Bun.file(copy.file).stream(), signal),
    })
    return name
  }

  /** `null`: it is not there, since a later one has taken its place. @throws ObjectFault */
  async open(name: string): Promise<OpenedBase | null> {
    const { target, sealing } = this
    const head = await findHead(target, name, 'base')
    if (head === null) return null
    const { schema, program, databaseBytes, key, sealKey } = head.header
    const sealed = sealKey === undefined ? null : new Uint8Array(Buffer.from(sealKey, 'base64'))
    return {
      ...{ schema, program, bytes: databaseBytes },
      sealKey: sealed && (await sealing.unseal(key, sealed, sealKeyContext(name))),
      database: () => readBundle(target, name, { head, keys: sealing }),
    }
  }

  /** When a base was put, epoch milliseconds; `null`: it is not there. */
  async putAt(name: string): Promise<number | null> {
    for await (const object of this.target.list(basesFolder)) if (object.name === name) return object.at
    return null
  }

  /** When the newest was put, epoch milliseconds; `null`: there is none. */
  async newestAt(): Promise<number | null> {
    let newest: number | null = null
    for await (const { at } of this.target.list(basesFolder)) newest = Math.max(newest ?? 0, at)
    return newest
  }

  /** Deletes what is older than a day, except for one base. */
  async sweep(kept: string, now: number): Promise<void> {
    const { target } = this
    for await (const { name, at } of target.list(basesFolder))
      if (bundleOf(name) !== kept && at < now - keptMs) await target.delete(name)
  }
}

async function* unlessAborted(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    yield chunk
  }
}
