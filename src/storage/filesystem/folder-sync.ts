import { syncPath } from '../disk/synced.ts'

/** Syncs folders for many writers at once: writers that come before a sync has begun share it. */
export class FolderSync {
  private readonly running = new Map<string, Promise<void>>()
  private readonly next = new Map<string, Promise<void>>()

  /** Resolves when every name now in the folder is durable. */
  settle(dir: string): Promise<void> {
    const shared = this.next.get(dir)
    if (shared !== undefined) return shared
    const under = this.running.get(dir) ?? Promise.resolve()
    const begun = under.catch(() => {}).then(() => this.begin(dir))
    this.next.set(dir, begun)
    return begun
  }

  private async begin(dir: string): Promise<void> {
    const own = syncPath(dir)
    const done = own.finally(() => {
      if (this.running.get(dir) === done) this.running.delete(dir)
    })
    this.next.delete(dir)
    this.running.set(dir, done)
    await done
  }
}
