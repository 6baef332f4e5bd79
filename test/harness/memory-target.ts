import type { BackupTarget, StoredObject } from '../../src/backup/target/backup-target.ts'

/** A target in memory, whose objects a test may look at and change. */
export class MemoryTarget implements BackupTarget {
  readonly url = 'memory:'
  readonly objects = new Map<string, Uint8Array<ArrayBuffer>>()
  /** When each object was put. */
  readonly times = new Map<string, number>()
  now: () => number = Date.now

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(name, new Uint8Array(bytes))
    this.times.set(name, this.now())
  }

  async putNew(name: string, bytes: Uint8Array): Promise<boolean> {
    if (this.objects.has(name)) return false
    await this.put(name, bytes)
    return true
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.objects.get(name) ?? null
  }

  async *list(folder: string, after = ''): AsyncGenerator<StoredObject> {
    const names = [...this.objects.keys()].filter((name) => name.startsWith(folder) && name > after)
    for (const name of names.sort())
      yield { name, bytes: this.objects.get(name)?.length ?? 0, at: this.times.get(name) ?? 0 }
  }

  async delete(name: string): Promise<void> {
    this.objects.delete(name)
  }
}
