import { newId } from '../../lib/id.ts'
import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'

/** An uploaded folder that its user has not published yet. */
export interface WaitingUpload {
  userId: string
  /** The account's handle; `null`: a new account. */
  account: string | null
  /** The site folder, absolute. */
  dir: string
  secrets: Readonly<Record<string, string>>
  /** Who was typed for a first page; absent: the folder says whose it is. */
  customer?: string
  remove(): void
}

const waitingMsMax = 10 * 60_000
const waitingOfUserMax = 3
const waitingMax = 20

/** What is published: an upload, as one of its plans showed it. */
interface Publication {
  plan: string
  outcome: Promise<AppliedFolder | null>
  isDone: boolean
}

interface Waiting {
  upload: WaitingUpload
  end: Timer
  /** The number of plans and publications that are reading the folder. */
  readers: number
  /** Under way, or done; `null`: none, or it failed. */
  publication: Publication | null
}

type Owner = Pick<WaitingUpload, 'userId' | 'account'>

/**
 * Uploads from their arrival to their publication. They go after ten minutes, and with the console's thread; what a publication did
 * is known for as long.
 */
export class WaitingUploads {
  private readonly uploads = new Map<string, Waiting>()

  /** Drops the oldest uploads when there are too many. @returns an id that nobody can guess */
  hold(upload: WaitingUpload): string {
    const own = [...this.uploads].filter(([, kept]) => kept.upload.userId === upload.userId).map(([id]) => id)
    if (own.length >= waitingOfUserMax) this.end(own[0] ?? '')
    if (this.uploads.size >= waitingMax) this.end(this.uploads.keys().next().value ?? '')
    const id = newId()
    this.uploads.set(id, { upload, end: this.endLater(id), readers: 0, publication: null })
    return id
  }

  /**
   * Uses an upload. Its folder stays until then, even if the upload ends in the meantime.
   *
   * @returns `null`: the upload is gone, or belongs to another user or account
   */
  async use<T>(id: string, of: Owner, work: (upload: WaitingUpload) => Promise<T>): Promise<T | null> {
    const waiting = this.find(id, of)
    if (waiting === null || waiting.publication?.isDone) return null
    waiting.readers++
    try {
      return await work(waiting.upload)
    } finally {
      waiting.readers--
      if (this.uploads.get(id) !== waiting || waiting.publication?.isDone) removeUnread(waiting)
    }
  }

  /** Whether it was published, within the last ten minutes. */
  isPublished(id: string, of: Owner): boolean {
    return this.find(id, of)?.publication?.isDone ?? false
  }

  /**
   * Publishes an upload as one of its plans showed it. Whoever asks for the same once more, while that goes on or afterwards, gets
   * what the first gets. What failed can be tried again.
   *
   * @returns `null`: as `use`; `'otherwise'`: it was published by another plan
   */
  async publish(
    id: string,
    { of, plan, work }: { of: Owner; plan: string; work: (upload: WaitingUpload) => Promise<AppliedFolder> },
  ): Promise<{ applied: AppliedFolder; isRepeat: boolean } | 'otherwise' | null> {
    const waiting = this.find(id, of)
    if (waiting === null) return null
    const { publication } = waiting
    if (publication?.plan === plan) return published(await publication.outcome, true)
    if (publication !== null) {
      await publication.outcome.catch(() => {})
      return publication.isDone ? 'otherwise' : this.publish(id, { of, plan, work })
    }
    const begun: Publication = { plan, outcome: this.use(id, of, work), isDone: false }
    waiting.publication = begun
    begun.outcome.then(
      () => this.keepOutcome(id, waiting, begun),
      () => {
        waiting.publication = null
      },
    )
    return published(await begun.outcome, false)
  }

  private keepOutcome(id: string, waiting: Waiting, publication: Publication): void {
    publication.isDone = true
    clearTimeout(waiting.end)
    waiting.end = this.endLater(id)
    removeUnread(waiting)
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

  private find(id: string, { userId, account }: Owner): Waiting | null {
    const waiting = this.uploads.get(id)
    return waiting?.upload.userId === userId && waiting.upload.account === account ? waiting : null
  }

  private endLater(id: string): Timer {
    return setTimeout(() => this.end(id), waitingMsMax).unref()
  }
}

const published = (applied: AppliedFolder | null, isRepeat: boolean) => applied && { applied, isRepeat }

function removeUnread({ upload, readers }: Waiting): void {
  if (readers === 0) upload.remove()
}
