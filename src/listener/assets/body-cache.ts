import { type AssetStore, ContentAway, type StoredBody, type StoredBytes } from '../../asset/asset-store.ts'
import { isSound, isUnreadable } from '../../asset/sound-bytes.ts'
import type { Clock } from '../../lib/clock.ts'

/** Limits all cached bodies, and a single one: pages are small, downloads are sent from the disk. */
const heldBytesMax = 32 * 1024 * 1024
const bodyBytesMax = 512 * 1024

/** Whether a body is sent from the disk, which needs a descriptor. */
export const isFromDisk = (body: Blob): boolean => body.size > bodyBytesMax

/** `away`: another machine has them, and they cannot be fetched now. */
export type BodyFault = 'missing' | 'damaged' | 'away'

/** Under what the bytes are cached: to be made once, not with each request. */
export const bodyKey = ({ sha256, encoding }: StoredBytes): string => sha256 + encoding

/**
 * Caches small bodies, least recently used out first; larger ones are sent from the disk. Blobs let answers share the bytes, which
 * arrays would copy. Loaded bytes are verified against their hash.
 */
export class BodyCache {
  private readonly bodies = new Map<string, Blob>()
  private cachedBytes = 0

  private readonly largeFiles: LargeFiles

  constructor(
    private readonly assets: Pick<AssetStore, 'open'>,
    clock: Clock,
  ) {
    this.largeFiles = new LargeFiles(clock)
  }

  /** A cached body, at once. @param key what `bodyKey` makes of its bytes */
  peek(key: string): Blob | null {
    const body = this.bodies.get(key)
    if (body === undefined) return null
    this.bodies.delete(key)
    this.bodies.set(key, body)
    return body
  }

  /** Verified bytes, or why there are none. */
  async open(stored: StoredBytes): Promise<Blob | BodyFault> {
    const file = await this.assets.open(stored).catch((error) => {
      if (error instanceof ContentAway) return 'away' as const
      throw error
    })
    if (file === 'away') return file
    if (file === null) return 'missing'
    if (isFromDisk(file)) return (await this.largeFiles.admits(stored, file)) ? file : 'damaged'
    const body = await bytesOf(file)
    if (body === null || !(await isSound(stored, body))) return 'damaged'
    return this.cache(bodyKey(stored), body)
  }

  private cache(key: string, body: Blob): Blob {
    this.cachedBytes += body.size - (this.bodies.get(key)?.size ?? 0)
    this.bodies.set(key, body)
    for (const [oldest, old] of this.bodies) {
      if (this.cachedBytes <= heldBytesMax) break
      this.bodies.delete(oldest)
      this.cachedBytes -= old.size
    }
    return body
  }
}

const bytesOf = (file: Blob): Promise<Blob | null> =>
  file.arrayBuffer().then(
    (bytes) => new Blob([bytes]),
    (error) => {
      if (isUnreadable(error)) return null
      throw error
    },
  )

/** Smaller files are verified before sending; larger ones are sent while being verified. */
const awaitedBytesMax = 32 * 1024 * 1024
/** After this time a requested file is verified again, because a disk can lose data without changing a time stamp. */
const checkedAgainMs = 60 * 60_000
const filesMax = 10_000

interface Check {
  /** Size and time stamp of the file that was read. */
  state: string
  startedAtMs: number
  isSound: Promise<boolean>
  /** `null`: it is being read. */
  verdict: boolean | null
}

/**
 * Verifies files sent from the disk against their hash, at the first request and after each write. A damaged file is not sent until it
 * is stored again.
 */
class LargeFiles {
  private readonly checks = new Map<string, Check>()
  /** The largest files are verified one at a time. */
  private queue: Promise<unknown> = Promise.resolve()

  constructor(private readonly clock: Clock) {}

  async admits(stored: StoredBytes, file: StoredBody): Promise<boolean> {
    const key = stored.sha256 + stored.encoding
    const state = `${file.size} ${file.lastModified}`
    const known = this.checks.get(key)
    const isChanged = known !== undefined && known.state !== state
    const isOld = known !== undefined && this.clock.monotonicMs() - known.startedAtMs > checkedAgainMs
    if (known !== undefined && !isChanged && !(isOld && known.verdict !== null)) return this.answerOf(known, file)
    const check = this.begin(stored, file, state)
    this.remember(key, check)
    // The next request retries an unreadable file.
    check.isSound.catch(() => this.checks.delete(key))
    // The earlier verdict stays valid until the file is verified again.
    if (known !== undefined && !isChanged) return known.isSound
    return isChanged ? check.isSound : this.answerOf(check, file)
  }

  private answerOf(check: Check, file: Blob): Promise<boolean> | boolean {
    if (check.verdict !== null) return check.verdict
    return file.size > awaitedBytesMax || check.isSound
  }

  private begin(stored: StoredBytes, file: Blob, state: string): Check {
    const read = () => isSound(stored, file)
    const sound = file.size > awaitedBytesMax ? this.queue.then(read) : read()
    if (file.size > awaitedBytesMax) this.queue = sound.catch(() => {})
    const check: Check = { state, startedAtMs: this.clock.monotonicMs(), isSound: sound, verdict: null }
    sound.then(
      (verdict) => {
        check.verdict = verdict
      },
      () => {},
    )
    return check
  }

  private remember(key: string, check: Check): void {
    this.checks.delete(key)
    this.checks.set(key, check)
    const [oldest] = this.checks.keys()
    if (this.checks.size > filesMax && oldest !== undefined) this.checks.delete(oldest)
  }
}
