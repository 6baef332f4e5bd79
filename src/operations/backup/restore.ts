import { type PlacedBox, putInPlace } from './put-in-place.ts'
import type { RestorePorts, RestoreSource } from './restore-ports.ts'
import { restoreRefusal, unpack } from './unpack.ts'

export interface RestoreWanted {
  /** A backup or a snapshot, absolute. */
  file: string
  dataDir: string
  /** Epoch milliseconds. */
  now: number
}

/** The result of a restore. */
export interface RestoredBox extends PlacedBox {
  from: RestoreSource['kind'] | 'target'
}

/**
 * Unpacks and checks the file beside the data folder, and puts the result in place only when it is complete and on disk
 * (docs/backup-and-restore.md). A failure before that changes nothing.
 *
 * @throws OperatorError when the file is incomplete, the disk is full, or the folder is in use
 */
export async function restore(
  ports: RestorePorts,
  { file, dataDir, now }: RestoreWanted,
  onContent: () => void,
): Promise<RestoredBox> {
  // Open the file first, as root: the data folder's owner may not have access to it.
  const source = await ports.folders.open(file)
  try {
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
    return { from: source.kind, ...placed }
  } finally {
    await source.handle.close()
  }
}
