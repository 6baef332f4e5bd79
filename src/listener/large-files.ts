import type { StoredBody, StoredBytes } from '../asset/asset-store.ts'
import { isSound } from '../asset/sound-bytes.ts'
import type { Clock } from '../lib/clock.ts'

/** Smaller files are verified before sending; larger ones are sent while being verified. */
const awaitedBytesMax = 32 * 1024 * 1024
/** After this time a requested file is verified again, because a disk can lose data without changing a time stamp. */
const checkedAgainMs = 60 * 60_000
/** Files remembered. */
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
export class LargeFiles {
  private readonly checks = new Map<string, Check>()
  /** The largest files are verified one at a time. */
  private queue: Promise<unknown> = Promise.resolve()

  constructor(private readonly clock: Clock) {}

  /** Whether the file may be sent. */
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
