import { VerifiedCookies } from '../../account/identity-cookie.ts'
import { createBotCheck } from '../../capture/bot-check/bot-check.ts'
import type { Outbound } from '../../capture/bot-check/provider-verify.ts'
import { requestBudgets } from '../../capture/budgets.ts'
import { VerifiedLinks } from '../../capture/click-token.ts'
import { clamd } from '../../capture/file/file-scanner.ts'
import { type BringFiles, lookMs, WaitingFiles } from '../../capture/file/waiting-files.ts'
import { MissingTally } from '../../capture/missing-tally.ts'
import { RefusalTally } from '../../capture/refusal-tally.ts'
import { UrlCleaner } from '../../capture/url/url-cleaner.ts'
import { clientFiles } from '../../client/embedded.ts'
import { testPage } from '../../client/test-page/embedded.ts'
import type { Config } from '../../config/config.ts'
import { refusalKinds } from '../../console/audit/refused-tries.ts'
import { Http01Answers } from '../../https/acme/authority.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { compileTrustedProxies, type TrustedProxies } from '../../lib/forwarded-client.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import { LocalDays } from '../../lib/local-day.ts'
import type { Log } from '../../lib/log.ts'
import { Downloads, descriptorLimit, downloadBounds } from '../../listener/assets/downloads.ts'
import { ConsoleProxy } from '../../listener/console/console-proxy.ts'
import type { ListenerBasics } from '../../listener/listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'
import { readSendQueues } from '../../listener/peer-source.ts'
import { PipelineLimit } from '../../listener/pipeline-limit.ts'
import type { SiteDirectory } from '../../listener/site-directory.ts'
import { BackupFigures, ConsoleRefusals, DeliveryFigures, RequestFigures } from '../../operator/figures.ts'
import { systemGuard, systemLookup } from '../../outbound/guard.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'
import { noteAdopted, readAuditNote, writeAuditNote, writeProxyNote } from '../../storage/filesystem/folder-notes.ts'
import { freeMegabytes } from '../../storage/filesystem/free-space.ts'
import { TokenBuckets } from '../../storage/memory/token-buckets.ts'
import { Verdicts } from '../../verdict/verdicts.ts'
import { deliverySettings } from '../delivery/delivery-ports.ts'
import type { CapturingBox } from '../open.ts'
import { alerting } from '../threads/alert-thread.ts'
import { backingUp } from '../threads/backup-threads.ts'
import type { ClusterThread, LeadersWork } from '../threads/cluster-thread.ts'
import { ConsoleThread } from '../threads/console-thread.ts'
import { deliveringThread, deliverWhenNeeded } from '../threads/delivery-thread.ts'
import type { ThreadSurroundings } from '../threads/service-thread.ts'
import { workerFile } from '../threads/worker-file.ts'
import { HandoverRequests } from './handover-requests.ts'
import { AuditWatch, MemoryWatch, RoomWatch } from './housekeeping.ts'
import type { ServiceListeners } from './listeners.ts'
import { withPorts } from './ports.ts'
import type { Predecessor } from './predecessor.ts'
import type { RunningService, StopSignal } from './running-service.ts'
import { reloader } from './running-service.ts'
import type { NodeListening, NodeStart, ServedNode } from './serve-cluster.ts'
import { supervise } from './service-manager.ts'
import type { StoringNotices } from './storing-notices.ts'
import type { Successor } from './successor.ts'

/** How often the server checks for changes by commands, well within the promised second. */
const refreshMs = 200
const housekeepingMs = 1000
/** How often the heap's size is checked; under full load it grows by about 100 MB a second. */
const memoryWatchMs = 300

interface ServingStart {
  service: RunningService
  predecessor: Predecessor | null
  box: CapturingBox
  directory: SiteDirectory
  basics: ListenerBasics
  listeners: ServiceListeners
  storing: StoringNotices
}

export interface Serving extends Pick<ServingStart, 'service' | 'predecessor' | 'box' | 'listeners'> {
  parts: ListenerParts
  supervision: PeriodicWork
  background: PeriodicWork[]
  delivering: PeriodicWork
  backingUp: PeriodicWork
  alerting: PeriodicWork
  consoleThread: ConsoleThread
  /** `null`: a single box. */
  cluster: ClusterThread | null
  /** What answers other nodes; `null`: a single box. */
  nodeListening: NodeListening | null
  /** `null`: a hand-over cannot be requested. */
  handover: HandoverRequests | null
  over: Promise<ServingEnd>
}

/** Why serving ends: asked to stop, another process takes over, or the node's database is to be replaced (`JoiningAnew`). */
export type ServingEnd = StopSignal | Successor | 'joined anew'

/** Wires all parts, opens the listeners, and starts the background work. */
export async function beginServing(start: ServingStart): Promise<Serving> {
  const { service, predecessor, box, directory, basics, listeners, storing } = start
  const { config, session, hooks, hangups, manager, log, logging, stalled } = service
  const limits = { ...config.limits }
  const trustedProxies = { ...compileTrustedProxies(config.server.trustedProxies) }
  const refusals = new RefusalTally(box.refusals, session.clock, config.server.previewHost)
  const room = new RoomWatch(await freeMegabytes(box.dataDir), limits.minFreeMb, log)
  const requests = new RequestFigures()
  const consoleRefusals = new ConsoleRefusals(refusalKinds)
  const surroundings = { clock: session.clock, log, stalled }
  const consoleThread = new ConsoleThread({
    workerFile: workerFile('console'),
    config: withPorts(config, listeners.ports),
    readConfig: hooks.readConfig,
    onRefusal: (kind) => consoleRefusals.note(kind),
    ...surroundings,
  })
  const ownBudgets = new TokenBuckets(session.clock)
  const node = await nodeOf(config.cluster, {
    ...{ databaseFile: databaseFile(box.dataDir), consoleThread, budgets: ownBudgets, surroundings },
  })
  const cluster = node?.thread ?? null
  const ownPorts = Object.values(listeners.ports)
  const { allowPrivate } = config.delivery
  const parts = await listenerParts({
    ...{ box, basics, directory, refusals, requests, limits, trustedProxies },
    consoleProxy: new ConsoleProxy(config.console.host, node?.console ?? consoleThread),
    challenges: new Http01Answers(node?.askForChallenge),
    bringFiles: node?.bringFiles,
    budgets: node?.budgets ?? ownBudgets,
    // What protects this machine from one address.
    takeRequest: (clientAddress) => ownBudgets.takeNow(requestBudgets(clientAddress, limits)),
    outbound: { guard: systemGuard({ allowPrivate, ownPorts }), lookup: systemLookup },
    room: room.room,
    ledger: hooks.ledger?.(box.ledger) ?? box.ledger,
    testPageDomain: hooks.testPageDomain ?? null,
  })
  const stopped = service.stopped()
  const deliveries = new DeliveryFigures()
  const backups = new BackupFigures(session.clock)
  const asLeader: LeadersWork = (begin) => (cluster === null ? begin() : cluster.whileLeading(begin))
  const { certificates } = basics
  const watched = { box, directory, requests, certificates, deliveries, backups, consoleRefusals, refusals, cluster }
  const nodeListening = node?.listen(parts) ?? null
  listeners.lead(parts, watched, asLeader)
  await predecessor?.ready(() => box.probeCommit())
  const adopt = adopting(directory, box.dataDir)
  await cluster?.caughtUp()
  await adopt()
  basics.queue.release()
  const handover = hooks.handsOver
    ? new HandoverRequests({ service, listeners, directory, predecessor, cluster })
    : null
  log.info('Listening.', { ...listeners.plain, accounts: directory.accountCount })
  await hooks.onListening?.(box, log)
  hangups.answerWith(
    reloader({ config, live: { limits, trustedProxies, logging, room }, read: hooks.readConfig, manager, log }),
  )
  const memory = new MemoryWatch()
  const background = [
    everyInterval(refreshMs, adopt, log),
    everyInterval(memoryWatchMs, () => memory.look(), log),
    everyInterval(housekeepingMs, auditLook(service, box), log),
    everyInterval(lookMs, () => parts.files.look(), log),
    everyInterval(
      housekeepingMs,
      async () => {
        room.update(await freeMegabytes(box.dataDir))
        await refusals.flush()
        await parts.missing.flush()
        storing.look()
      },
      log,
    ),
  ]
  const threads = {
    consoleThread,
    ...backgroundThreads({
      config: withPorts(config, listeners.ports),
      ownPorts,
      box,
      asLeader,
      deliveries,
      backups,
      surroundings,
    }),
  }
  const supervision = supervisedOnceAlone({
    service,
    predecessor,
    box,
    begin: () => supervise({ manager, box, directory, log }),
  })
  const ends: Promise<ServingEnd>[] = [stopped]
  if (handover !== null) ends.push(handover.asked)
  if (cluster !== null) ends.push(joinedAnew(cluster, predecessor))
  const over = Promise.race(ends)
  return { ...start, ...threads, cluster, nodeListening, parts, supervision, background, handover, over }
}

/** A single box loads none of it. */
const nodeOf = async (config: Config['cluster'], parts: Omit<NodeStart, 'config'>): Promise<ServedNode | null> =>
  config && (await import('./serve-cluster.ts')).serveNode({ config, ...parts })

/** Not before this process alone is the service. */
async function joinedAnew(cluster: ClusterThread, predecessor: Predecessor | null): Promise<'joined anew'> {
  await cluster.joinedAnew
  while (predecessor?.standsBy) await Bun.sleep(housekeepingMs)
  return 'joined anew'
}

interface BackgroundParts {
  config: Config
  ownPorts: number[]
  box: CapturingBox
  asLeader: LeadersWork
  deliveries: DeliveryFigures
  backups: BackupFigures
  surroundings: ThreadSurroundings
}

/** What goes out in the box's name: of several nodes, only the leader sends it. Others say in alerts that nobody leads. */
function backgroundThreads({ config, ownPorts, box, asLeader, deliveries, backups, surroundings }: BackgroundParts) {
  const delivery = deliverySettings(config, ownPorts)
  const delivering = (): PeriodicWork =>
    deliverWhenNeeded({
      isNeeded: () => box.hasDestinations() || (config.mail.host !== null && box.hasReceiverNotices()),
      start: () => deliveringThread(delivery, { ...surroundings, figures: deliveries }),
      log: surroundings.log,
    })
  return {
    delivering: asLeader(delivering),
    backingUp: asLeader(() => backingUp(config, { ...surroundings, figures: backups })),
    alerting: alerting(config, surroundings),
  }
}

function auditLook({ session, log, logging }: RunningService, box: CapturingBox): () => Promise<void> {
  const note = {
    read: () => readAuditNote(box.dataDir),
    write: (seq: number) => writeAuditNote(box.dataDir, seq),
  }
  const watch = new AuditWatch({ lines: box.auditLines, note, logging, log, clock: session.clock })
  return () => watch.look()
}

interface SupervisionStart {
  service: RunningService
  predecessor: Predecessor | null
  box: CapturingBox
  begin: () => PeriodicWork
}

/** Reports to the service manager only after the previous process stops standing by. */
function supervisedOnceAlone({ service, predecessor, box, begin }: SupervisionStart): PeriodicWork {
  if (predecessor === null) return begin()
  let supervision: PeriodicWork | null = null
  let isOver = false
  const { manager, log } = service
  void predecessor
    .standsDown(() => box.probeCommit())
    .then((isHandedOver) => {
      if (isOver) return
      if (isHandedOver || !manager.isWatching) {
        supervision = begin()
        return
      }
      log.error(
        'The previous process died while standing by. The service manager knows no other and will restart the service.',
      )
      process.kill(process.pid, 'SIGTERM')
    })
  return {
    stop: async () => {
      isOver = true
      await supervision?.stop()
    },
  }
}

/** Adopts what was published, and tells commands that wait for it. */
function adopting(directory: SiteDirectory, dataDir: string): () => Promise<void> {
  let noted: string | null = null
  return async () => {
    await directory.refresh()
    if (directory.adopted === noted) return
    noted = directory.adopted
    try {
      noteAdopted(dataDir, noted)
    } catch {
      // The disk is full. Whoever publishes waits in vain, and is told so.
    }
  }
}

interface PartsOfService
  extends Pick<ListenerParts, 'room' | 'testPageDomain' | 'consoleProxy' | 'challenges' | 'budgets' | 'takeRequest'> {
  box: CapturingBox
  basics: ListenerBasics
  limits: Config['limits']
  directory: SiteDirectory
  ledger: Ledger
  refusals: RefusalTally
  requests: RequestFigures
  trustedProxies: TrustedProxies
  outbound: Outbound
  /** Absent: a single box. */
  bringFiles: BringFiles | undefined
}

async function listenerParts({
  box,
  basics,
  directory,
  outbound,
  bringFiles,
  ...given
}: PartsOfService): Promise<ListenerParts> {
  const { certificates, clock, log, previewHost } = basics
  const days = new LocalDays()
  const verdicts = new Verdicts()
  const { limits } = given
  const uploads = await box.openUploads()
  const { visitorFiles } = box
  const files = new WaitingFiles({
    store: uploads,
    keptBytes: (accountId) => visitorFiles.keptBytes(accountId),
    loosen: (hashes) => visitorFiles.loosen(hashes),
    bring: bringFiles,
    ...{ limits, clock, log },
  })
  await files.open()
  return {
    ...given,
    directory,
    assets: box.assets,
    catalogue: box.catalogue,
    pipelineLimit: new PipelineLimit(),
    downloads: new Downloads({
      bounds: downloadBounds(await descriptorLimit()),
      sendQueues: readSendQueues,
      monotonicMs: clock.monotonicMs,
    }),
    botCheck: createBotCheck({ challenges: box.challenges, keys: () => directory.signingKeys, clock, log, outbound }),
    certificates,
    verifiedCookies: new VerifiedCookies(),
    verifiedLinks: new VerifiedLinks(),
    optOuts: box.optOuts,
    confirmations: box.confirmations,
    files,
    uploads,
    visitorFiles,
    scanner: () => (limits.clamd === null ? null : clamd(limits.clamd)),
    urls: new UrlCleaner(),
    verdicts,
    missing: new MissingTally(box.missing, { clock, days, verdicts }),
    previewHost,
    clientFiles,
    testPage,
    onUntrustedProxy: (peer) => warnOfProxy(peer, box.dataDir, log),
    clock,
    days,
    log,
  }
}

/** Logged once, and stored for `doctor` and `refusals`. */
function warnOfProxy(peer: string, dataDir: string, log: Log): void {
  log.warn(
    `A proxy at ${peer} sends X-Forwarded headers and is not trusted: all visitors share its budget. If it is yours, set in capture.toml: [server] trusted_proxies = ["${peer}"]`,
  )
  writeProxyNote(dataDir, { peer, seenAt: new Date().toISOString() }).catch(() =>
    log.warn('The note about the proxy could not be written.'),
  )
}
