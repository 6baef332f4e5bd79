import type { Gate } from '../lib/gate.ts'
import { leadsHere } from '../lib/hostname.ts'
import { bare, closing } from './answers.ts'
import type { ConsoleDoor } from './console-door.ts'
import { HostReader } from './host.ts'
import type { Listener } from './listener.ts'
import { type BindAddress, serveOptions } from './serve-options.ts'
import { stopGently } from './stop-gently.ts'
import { backInAMoment } from './too-many-downloads.ts'

/** Answers with the console over plain HTTP, on this machine's own address. */
export interface ConsoleListener extends Pick<Listener, 'port' | 'drain' | 'leave' | 'stop'> {
  /** Says where requests go; until then, and until the gate is open, they wait. */
  lead(door: ConsoleDoor): void
}

/** @throws when the address is taken */
export function startConsoleListener(gate: Gate, address: BindAddress): ConsoleListener {
  const hosts = new HostReader()
  let door: ConsoleDoor | null = null
  let isDraining = false
  const server = Bun.serve({
    ...serveOptions(address),
    fetch: async (request, server) => {
      const named = hosts.read(request.headers.get('host'))
      // A page elsewhere whose name was made to lead to this machine (DNS rebinding) sends that name.
      if (named === null || !leadsHere(named.name)) return bare(404)
      if (!(await gate.pass()) || door === null) return backInAMoment()
      const clientAddress = server.requestIP(request)?.address ?? ''
      const answer = await door.handOn({ request, server, ownOrigin: named.httpOrigin, clientAddress, secure: false })
      return isDraining ? closing(answer) : answer
    },
  })
  return {
    port: server.port ?? address.port,
    lead: (to) => {
      door = to
    },
    drain: () => {
      isDraining = true
    },
    // Its thread needs nothing of what another process has by then.
    leave: () => {},
    stop: (graceMs) => stopGently(server, graceMs),
  }
}
