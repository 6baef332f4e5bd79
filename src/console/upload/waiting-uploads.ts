import { newId } from '../../lib/id.ts'

/** An uploaded folder that waits for its user to publish it. */
export interface WaitingUpload {
  userId: string
  /** The handle; `null`: a new account. */
  account: string | null
  /** The site folder, absolute. */
  dir: string
  secrets: Readonly<Record<string, string>>
  remove(): void
}

const waitingMsMax = 10 * 60_000
const waitingOfUserMax = 3
const waitingMax = 20

interface Waiting {
  upload: WaitingUpload
  end: Timer
  /** Plans and publications that are reading the folder. */
  readers: number
}

/** Uploads between their plan and their publication. They go after ten minutes, and with the console's thread. */
export class WaitingUploads {
  private readonly uploads = new Map<string, Waiting>()

  /** @returns an id that nobody guesses. The oldest go when there are too many */
  hold(upload: WaitingUpload): string {
    const own = [...this.uploads].filter(([, kept]) => kept.upload.userId === upload.userId).map(([id]) => id)
    if (own.length >= waitingOfUserMax) this.end(own[0] ?? '')
    if (this.uploads.size >= waitingMax) this.end(this.uploads.keys().next().value ?? '')
    const id = newId()
    const end = setTimeout(() => this.end(id), waitingMsMax)
    end.unref()
    this.uploads.set(id, { upload, end, readers: 0 })
    return id
  }

  /**
   * Does something with an upload, whose folder stays until that is done, even when the upload ends meanwhile.
   *
   * @returns `null`: it is gone, or another's, or of another account
   */
  async use<T>(
    id: string,
    { userId, account }: Pick<WaitingUpload, 'userId' | 'account'>,
    work: (upload: WaitingUpload) => Promise<T>,
  ): Promise<T | null> {
    const waiting = this.uploads.get(id)
    if (waiting === undefined || waiting.upload.userId !== userId || waiting.upload.account !== account) return null
    waiting.readers++
    try {
      return await work(waiting.upload)
    } finally {
      waiting.readers--
      if (this.uploads.get(id) !== waiting) removeUnread(waiting)
    }
  }

  end(id: string): void {
    const waiting = this.uploads.get(id)
    if (waiting === undefined) return
    clearTimeout(waiting.end)
    this.uploads.delete(id)
    removeUnread(waiting)
  }

  clear(): void {
    for (const id of [...this.uploads.keys()]) this.end(id)
  }
}

function removeUnread({ upload, readers }: Waiting): void {
  if (readers === 0) upload.remove()
}
