import type { SiteDirectory } from '../../listener/site-directory.ts'
import type { Session } from '../session.ts'
import type { ClusterThread } from '../threads/cluster-thread.ts'
import { programVersion } from '../version.ts'
import { type ControlConnection, type ControlSocket, type Message, openControlSocket } from './control-socket.ts'
import type { ServiceListeners } from './listeners.ts'
import type { Predecessor } from './predecessor.ts'
import type { RunningService } from './running-service.ts'
import { Successor } from './successor.ts'

/** A new version that has not requested the data folder by then has failed. */
const startMsMax = 60_000

interface HandoverParts {
  service: RunningService
  listeners: ServiceListeners
  directory: SiteDirectory
  predecessor: Predecessor | null
  cluster: Pick<ClusterThread, 'leads' | 'names' | 'share' | 'sight' | 'lacking'> | null
}

interface Started {
  child: Bun.Subprocess
  asker: ControlConnection
  watchMs: number
  startedAtMs: number
  overdue: Timer
}

export class HandoverRequests {
  private readonly asking = Promise.withResolvers<Successor>()
  readonly asked = this.asking.promise
  private readonly socket: ControlSocket
  private started: Started | null = null
  private isTaken = false

  constructor(private readonly parts: HandoverParts) {
    const { config, log } = parts.service
    const answers = {
      hello: () => this.hello(),
      onTakeOver: (connection: ControlConnection, pid: number) => this.takeOver(connection, pid),
      onShare: (connection: ControlConnection) => void this.share(connection),
      onSpread: (connection: ControlConnection) => void this.spread(connection),
      onUpgrade: (connection: ControlConnection, watchSeconds: number) => this.upgrade(connection, watchSeconds * 1000),
    }
    this.socket = openControlSocket(config.dataDir, answers, log)
  }

  /** Nobody else can ask from now on. */
  close(): void {
    this.socket.close()
    if (this.started !== null) clearTimeout(this.started.overdue)
  }

  private hello(): Message {
    const { listeners, directory, service, cluster } = this.parts
    const ports = { ...listeners.ports } as Record<string, number>
    const { execPath: executable, pid } = process
    const [hosts, stalled] = [[...directory.hosts], [...service.stalled]]
    const standing = cluster && { ...cluster.names, leads: cluster.leads, status: cluster.sight.status }
    return { say: 'hello', version: programVersion, pid, executable, ports, hosts, stalled, cluster: standing }
  }

  private async share(connection: ControlConnection): Promise<void> {
    const isShared = (await this.parts.cluster?.share()) ?? true
    connection.send({ say: 'shared', isShared })
  }

  private async spread(connection: ControlConnection): Promise<void> {
    connection.send({ say: 'spreading', lacking: (await this.parts.cluster?.lacking()) ?? null })
  }

  private takeOver(connection: ControlConnection, pid: number): void {
    const { service } = this.parts
    const started = this.started?.child.pid === pid ? this.started : null
    const why = this.refusal(started === null)
    if (why !== null) {
      connection.send({ say: 'failed', why })
      return
    }
    this.isTaken = true
    const { monotonicMs } = service.session.clock
    const { child = null, asker = null, watchMs = 0, startedAtMs = monotonicMs() } = started ?? {}
    this.asking.resolve(
      new Successor({ connection, pid, child, asker, watchMs, startedAtMs, monotonicMs, log: service.log }),
    )
  }

  private upgrade(asker: ControlConnection, watchMs: number): void {
    const why = this.started === null ? this.refusal(false) : 'An upgrade is already in progress.'
    if (why !== null) {
      asker.send({ say: 'failed', why })
      return
    }
    const { service } = this.parts
    const child = startSuccessor(service.session)
    service.log.info('A new process of the executable is starting, to take over.', { pid: child.pid })
    const overdue = setTimeout(() => child.kill('SIGKILL'), startMsMax)
    this.started = { child, asker, watchMs, startedAtMs: service.session.clock.monotonicMs(), overdue }
    asker.send({ say: 'started', pid: child.pid })
    void child.exited.then(() => this.ended(child))
  }

  /** The new process ended without taking over: nothing has changed. */
  private ended(child: Bun.Subprocess): void {
    const { started } = this
    if (started?.child !== child) return
    clearTimeout(started.overdue)
    this.started = null
    if (this.isTaken) return
    const how = child.signalCode === null ? `exit status ${child.exitCode}` : child.signalCode
    const tookMs = this.parts.service.session.clock.monotonicMs() - started.startedAtMs
    const why =
      tookMs >= startMsMax
        ? `it was not ready within ${startMsMax / 1000} s`
        : `it ended before it could take over (${how})`
    this.parts.service.log.error('The new version did not take over: this one continues.', { why })
    started.asker.send({ say: 'failed', why })
  }

  /** Why no process can take over now; `null`: one can. */
  private refusal(isStranger: boolean): string | null {
    const { service, predecessor } = this.parts
    if (this.isTaken) return 'Another process is already taking over.'
    if (predecessor?.standsBy) return 'The previous process is still standing by: try again in a minute.'
    if (isStranger && service.manager.isWatching) {
      return 'A service manager runs this service, and would lose track of a process that it has not started. Use capture upgrade, or restart the service.'
    }
    return null
  }
}

/**
 * Starts the executable now at this one's path, with this process's arguments and environment, so that it is in the same sandbox
 * and service. It outlives this process.
 */
function startSuccessor({ argv, env, cwd }: Pick<Session, 'argv' | 'env' | 'cwd'>): Bun.Subprocess {
  const program = Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main]
  const words = argv.filter((word) => word !== '--replace')
  return Bun.spawn([...program, ...words, '--replace'], {
    cwd,
    // The watchdog watches this process as long as it is the service.
    env: { ...env, WATCHDOG_PID: undefined },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
}
