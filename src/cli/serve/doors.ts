import type { ListenerParts } from '../../listener/listener-parts.ts'
import type { PortsInUse } from './bound.ts'
import type { ListenerStart } from './listener-start.ts'
import { openLocalConsole } from './local-console.ts'
import { type OperatorWatch, type Watched, watchForOperator } from './operator-watch.ts'
import { type Listeners, startListeners, together } from './serve-listeners.ts'

/** All listeners of the service. */
export interface Doors {
  watch: OperatorWatch
  listeners: Listeners
  ports: PortsInUse
  /** Sets the source of answers. Requests wait for that, and for the gate to open. */
  lead(parts: ListenerParts, watched: Watched): void
  /** Closes what only those who run the box use. */
  closeOwn(): Promise<void>
}

/** Binds every address, or none. @throws OperatorError when one cannot be had */
export async function openDoors(start: ListenerStart): Promise<Doors> {
  const watch = watchForOperator(start)
  let local: ReturnType<typeof openLocalConsole> = null
  const closeOwn = async () => {
    await watch.stop()
  }
  try {
    local = openLocalConsole(start)
    const listeners = await startListeners(start)
    return {
      watch,
      listeners: local === null ? listeners : { ...listeners, ...together([listeners, local]) },
      ports: {
        ...listeners.ports,
        ...(watch.port === null ? {} : { operator: watch.port }),
        ...(local === null ? {} : { console: local.port }),
      },
      lead: (parts, watched) => {
        watch.lead(watched)
        local?.lead(parts.consoleDoor)
        listeners.lead(parts)
      },
      closeOwn,
    }
  } catch (error) {
    await Promise.all([closeOwn(), local?.stop(0)])
    throw error
  }
}
