import { leadsHere } from '../../lib/hostname.ts'
import type { RequestQueue } from '../../lib/request-queue.ts'
import { bare, closing } from '../answer/answers.ts'
import { backInAMoment } from '../answer/small-page.ts'
import { HostReader } from '../arrival.ts'
import { type BindAddress, type Listener, serveOptions, stopGently } from '../listener.ts'
import type { ConsoleProxy } from './console-proxy.ts'

/** Answers with the console over plain HTTP, on this machine's own address. */
export interface ConsoleListener extends Pick<Listener, 'port' | 'drain' | 'leave' | 'stop'> {
  /** Says where requests go; until then, and until the queue is released, they wait. */
  lead(proxy: ConsoleProxy): void
}

/** @throws when the address is taken */
export function startConsoleListener(queue: RequestQueue, address: BindAddress): ConsoleListener {
  const hosts = new HostReader()
  let proxy: ConsoleProxy | null = null
  let isDraining = false
  const server = Bun.serve({
    ...serveOptions(address),
    fetch: async (request, server) => {
      const named = hosts.read(request.headers.get('host'))
      // A page elsewhere whose name was made to lead to this machine (DNS rebinding) sends that name.
      if (named === null || !leadsHere(named.name)) return bare(404)
      if (!(await queue.wait()) || proxy === null) return backInAMoment({ request })
      const clientAddress = server.requestIP(request)?.address ?? ''
      const answer = await proxy.handOn({ request, server, ownOrigin: named.httpOrigin, clientAddress, secure: false })
      return isDraining ? closing(answer) : answer
    },
  })
  return {
    port: server.port ?? address.port,
    lead: (to) => {
      proxy = to
    },
    drain: () => {
      isDraining = true
    },
    // Its thread needs nothing of what another process has by then.
    leave: () => {},
    stop: (graceMs) => stopGently(server, graceMs),
  }
}
