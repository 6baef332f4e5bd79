import { statfs } from 'node:fs/promises'
import type { AssetStore, StreamedBytes } from '../../asset/asset-store.ts'
import { noRoom, roomLeftBytes, UploadFault } from '../../operations/upload/upload-folder.ts'

const bytesPerMegabyte = 1024 * 1024

/** What an unprivileged user may still write to the folder's volume. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

export const freeMegabytes = async (dir: string): Promise<number> => (await freeBytes(dir)) / bytesPerMegabyte

/**
 * The store as those who publish from elsewhere use it: a put that would not leave room on the disk for what visitors send is
 * refused before it writes.
 *
 * @param roomBytes what has to stay free
 */
export function leavingRoom(store: AssetStore, dir: string, roomBytes = roomLeftBytes): AssetStore {
  // Of puts under way, since several look at the disk before the first of them writes.
  let wantedBytes = 0
  return {
    async put(key, bytes) {
      const wanted = byteCountOf(bytes)
      wantedBytes += wanted
      try {
        if ((await freeBytes(dir)) - wantedBytes < roomBytes) throw new UploadFault('no_room', noRoom)
        await store.put(key, bytes)
      } finally {
        wantedBytes -= wanted
      }
    },
    open: (key) => store.open(key),
    delete: (sha256) => store.delete(sha256),
    list: () => store.list(),
  }
}

const byteCountOf = (bytes: Uint8Array | StreamedBytes): number =>
  bytes instanceof Uint8Array ? bytes.byteLength : bytes.byteCount
