import { openAgeFile } from '../../backup/format/age-file.ts'
import { WrongIdentity } from '../../backup/format/sealing.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { type PlacedBox, putInPlace } from './put-in-place.ts'
import type { RestorePorts, RestoreSource } from './restore-ports.ts'
import { restoreRefusal, unpack } from './unpack.ts'

export interface RestoreWanted {
  /** A backup or a snapshot, absolute. */
  file: string
  /** age identities: `AGE-SECRET-KEY-1…`. */
  identities: readonly string[]
  dataDir: string
  /** Epoch milliseconds. */
  now: number
}

/** The result of a restore. */
export interface RestoredBox extends PlacedBox {
  from: 'backup' | 'snapshot' | 'target'
}

/**
 * Unpacks and checks the file beside the data folder, and puts the result in place only when it is complete and on disk
 * (docs/backup-and-restore.md). A failure before that changes nothing.
 *
 * @throws OperatorError when the file is incomplete, the disk is full, or the folder is in use
 */
export async function restore(
  ports: RestorePorts,
  { file, identities, dataDir, now }: RestoreWanted,
  onContent: () => void,
): Promise<RestoredBox> {
  // Open the file first, as root: the data folder's owner may not have access to it.
  const opened = await ports.folders.open(file)
  try {
    const source = await unsealed(opened, identities)
    const placed = await putInPlace(ports, {
      dataDir,
      now,
      unpack: async (staged) => ({
        unpacked: await unpack(source, { ports, staged, dataDir, now, onContent }),
        log: null,
        erasuresMissing: null,
      }),
      refusal: (error) => restoreRefusal(file, error),
    })
    return { from: source.kind === 'snapshot' ? 'snapshot' : 'backup', ...placed }
  } finally {
    await opened.handle.close()
  }
}

/** The source with its content in the clear. @throws OperatorError when no identity opens it */
async function unsealed(source: RestoreSource, identities: readonly string[]): Promise<RestoreSource> {
  const { kind, file, handle } = source
  if (kind !== 'sealed') return source
  if (identities.length === 0) {
    throw new OperatorError(
      `${file} is encrypted. Name the file with the identity that belongs to one of its recipients: --identity FILE. Nothing was changed.`,
    )
  }
  try {
    return { ...source, kind: 'backup', handle: await openAgeFile(handle, identities) }
  } catch (error) {
    if (!(error instanceof WrongIdentity)) throw error
    throw new OperatorError(
      `${file} is encrypted for other identities than those given. Name the file with the identity that belongs to one of its recipients: --identity FILE. Nothing was changed.`,
    )
  }
}
