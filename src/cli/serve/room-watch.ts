import { backFreeMb, leastFreeMb, type StorageRoom, storageRoom } from '../../capture/storage-room.ts'
import type { Log } from '../../lib/log.ts'

/** Watches free disk space, decides what may still be stored, and logs each change. */
export class RoomWatch {
  /** Changes in place. */
  readonly room: StorageRoom

  constructor(
    freeMb: number,
    /** May be changed while it watches. */
    public minFreeMb: number,
    private readonly log: Pick<Log, 'info' | 'warn'>,
  ) {
    this.room = storageRoom(freeMb, minFreeMb)
    this.tell({ ...this.room, storesPageViews: true, storesEvents: true }, freeMb)
  }

  update(freeMb: number): void {
    const before = { ...this.room }
    Object.assign(this.room, storageRoom(freeMb, this.minFreeMb, before))
    this.tell(before, freeMb)
  }

  private tell(before: StorageRoom, freeMb: number): void {
    const least = leastFreeMb(this.minFreeMb)
    this.tellOf('Page views are', [before.storesPageViews, this.room.storesPageViews], {
      freeMb,
      leastMb: least.pageViews,
    })
    this.tellOf('Events are', [before.storesEvents, this.room.storesEvents], { freeMb, leastMb: least.events })
  }

  private tellOf(
    what: string,
    [did, does]: [boolean, boolean],
    { freeMb, leastMb }: { freeMb: number; leastMb: number },
  ): void {
    if (did === does) return
    const fields = { freeMb: Math.floor(freeMb), leastMb: Math.ceil(does ? backFreeMb(leastMb) : leastMb) }
    if (does) this.log.info(`${what} stored again: there is room on the disk.`, fields)
    else
      this.log.warn(`${what} no longer stored: the disk has too little room. Make some, or lower min_free_mb.`, fields)
  }
}
