import type { FolderLock } from '../../storage/lock/folder-lock.ts'
import type { PortsInUse } from '../serve/bound.ts'
import type { Predecessor } from './predecessor.ts'

/** How a process begins to serve. */
export interface Beginning {
  /** The service that is taken over from; `null`: there is none. */
  predecessor: Predecessor | null
  /** Of the data folder, where it is held already. */
  lock?: FolderLock
  /** Where this process has listened before. */
  ports?: PortsInUse
  /** Told once it serves. */
  onServing?: () => void
}
