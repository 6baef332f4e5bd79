import type { ListenerParts } from '../../listener/listener-parts.ts'
import type { PortsInUse } from './bound.ts'
import type { ListenerStart } from './listener-start.ts'
import { type OperatorWatch, type Watched, watchForOperator } from './operator-watch.ts'
import { type Listeners, startListeners } from './serve-listeners.ts'

/** Every address that the service listens on. */
export interface Doors {
  watch: OperatorWatch
  listeners: Listeners
  ports: PortsInUse
  /** Says what answers; until then, and until the gate is open, requests wait. */
  lead(parts: ListenerParts, watched: Watched): void
}

/** Binds every address, or none. @throws OperatorError when one cannot be had */
export async function openDoors(start: ListenerStart): Promise<Doors> {
  const watch = watchForOperator(start)
  try {
    const listeners = await startListeners(start)
    return {
      watch,
      listeners,
      ports: { ...listeners.ports, ...(watch.port === null ? {} : { operator: watch.port }) },
      lead: (parts, watched) => {
        watch.lead(watched)
        listeners.lead(parts)
      },
    }
  } catch (error) {
    await watch.stop()
    throw error
  }
}
