import type { FolderLock } from '../../storage/lock/folder-lock.ts'
import type { PortsInUse } from '../serve/bound.ts'
import type { Predecessor } from './predecessor.ts'

/** How a process begins to serve. */
export interface Beginning {
  /** The service to take over from; `null`: none. */
  predecessor: Predecessor | null
  /** The data folder's lock, if this process already has it. */
  lock?: FolderLock
  /** The ports that this process listened on before. */
  ports?: PortsInUse
  /** Told once it serves. */
  onServing?: () => void
}
