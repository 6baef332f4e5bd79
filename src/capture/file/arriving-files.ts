import { Refusal } from '../refusal.ts'
import type { UploadStore } from './upload-store.ts'

const waitingMax = 10_000
const waitingPerAccountMax = 2000
const underWayMax = 64
const underWayPerAddressMax = 6

const bytesPerMegabyte = 1_048_576

export interface ArrivingParts {
  store: Pick<UploadStore, 'freeBytes'>
  /** Bytes of the files of an account's records. */
  keptBytes: (accountId: string) => number
  /** Read at each upload: a reload changes them. */
  limits: { uploadMbPerAccount: number; minFreeMb: number }
}

/** What an upload takes while it arrives. */
export interface UploadPlace {
  accountId: string
  address: string
  bytes: number
}

/** Limits the files that arrive at once, and the room that an account's files take. */
export class ArrivingFiles {
  private readonly underWay = new Set<UploadPlace>()

  constructor(private readonly parts: ArrivingParts) {}

  /**
   * Takes a place for as long as `receive` runs.
   *
   * @param waiting the files that have arrived, and that nobody has claimed
   * @throws Refusal when there is none
   */
  async within<T>(
    place: UploadPlace,
    waiting: readonly Pick<UploadPlace, 'accountId' | 'bytes'>[],
    receive: () => Promise<T>,
  ): Promise<T> {
    if (this.isShareUsed(place)) throw new Refusal('uploads', { retryAfterSeconds: 5 })
    this.underWay.add(place)
    try {
      this.assertRoom(place, waiting)
      await this.assertDisk()
      return await receive()
    } finally {
      this.underWay.delete(place)
    }
  }

  /** An account has at most as many places as it leaves free, so that no account's visitors take those of all others. */
  private isShareUsed({ address, accountId }: UploadPlace): boolean {
    const places = [...this.underWay]
    const ofAccount = places.filter((place) => place.accountId === accountId).length
    const ofAddress = places.filter((place) => place.address === address).length
    return ofAccount >= underWayMax - places.length || ofAddress >= underWayPerAddressMax
  }

  private assertRoom({ accountId }: UploadPlace, waiting: readonly Pick<UploadPlace, 'accountId' | 'bytes'>[]): void {
    const { keptBytes, limits } = this.parts
    const ofAccount = waiting.filter((file) => file.accountId === accountId)
    const arriving = [...this.underWay].filter((place) => place.accountId === accountId)
    if (waiting.length >= waitingMax || ofAccount.length >= waitingPerAccountMax) throw new Refusal('upload_room')
    const bytes = [...ofAccount, ...arriving].reduce((sum, { bytes }) => sum + bytes, keptBytes(accountId))
    if (bytes > limits.uploadMbPerAccount * bytesPerMegabyte) throw new Refusal('upload_room')
  }

  /** Leaves as much of the disk to submissions as page views do. */
  private async assertDisk(): Promise<void> {
    const { limits, store } = this.parts
    const arriving = [...this.underWay].reduce((sum, { bytes }) => sum + bytes, 0)
    if ((await store.freeBytes()) - arriving < limits.minFreeMb * bytesPerMegabyte)
      throw new Refusal('storage', { retryAfterSeconds: 30 })
  }
}

/** @throws Refusal after the last of them, if they have another SHA-256 */
export async function* hashedAs(sha256: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const hash = new Bun.SHA256()
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new Refusal('incomplete')
}
