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

/** Uploads between their plan and their publication. They go after ten minutes, and with the console's thread. */
export class WaitingUploads {
  private readonly uploads = new Map<string, { upload: WaitingUpload; end: Timer }>()

  /** @returns an id that nobody guesses. The oldest go when there are too many */
  hold(upload: WaitingUpload): string {
    const own = [...this.uploads].filter(([, kept]) => kept.upload.userId === upload.userId).map(([id]) => id)
    if (own.length >= waitingOfUserMax) this.end(own[0] ?? '')
    if (this.uploads.size >= waitingMax) this.end(this.uploads.keys().next().value ?? '')
    const id = newId()
    const end = setTimeout(() => this.end(id), waitingMsMax)
    end.unref()
    this.uploads.set(id, { upload, end })
    return id
  }

  /** `null`: it is gone, or another's, or of another account. */
  find(id: string, { userId, account }: Pick<WaitingUpload, 'userId' | 'account'>): WaitingUpload | null {
    const upload = this.uploads.get(id)?.upload
    return upload !== undefined && upload.userId === userId && upload.account === account ? upload : null
  }

  end(id: string): void {
    const kept = this.uploads.get(id)
    if (kept === undefined) return
    clearTimeout(kept.end)
    this.uploads.delete(id)
    kept.upload.remove()
  }

  clear(): void {
    for (const id of [...this.uploads.keys()]) this.end(id)
  }
}
