import { VerifiedCookies } from '../account/identity-cookie.ts'
import { createBotCheck } from '../capture/bot-check/bot-check.ts'
import { RefusalTally } from '../capture/refusal-tally.ts'
import { UrlCleaner } from '../capture/url/url-cleaner.ts'
import { clientFiles } from '../client/embedded.ts'
import { testPage } from '../client/test-page/embedded.ts'
import type { Config } from '../config/config.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { descriptorLimit } from '../lib/descriptor-limit.ts'
import { compileTrustedProxies } from '../lib/ip.ts'
import { type Log, type LogOptions, openLog } from '../lib/log.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { readSendQueues } from '../lib/send-queues.ts'
import { Downloads, downloadBounds } from '../listener/downloads.ts'
import type { ListenerParts } from '../listener/listener-parts.ts'
import { SiteDirectory } from '../listener/site-directory.ts'
import { CertificateFigures } from '../operator/certificate-figures.ts'
import { RequestFigures } from '../operator/request-figures.ts'
import { freeMegabytes } from '../storage/filesystem/free-space.ts'
import { TokenBuckets } from '../storage/memory/token-buckets.ts'
import { Verdicts } from '../verdict/verdicts.ts'
import type { ExitStatus } from './command.ts'
import { everyInterval } from './interval.ts'
import { MemoryWatch } from './memory-watch.ts'
import { renewNameKey } from './name-key.ts'
import { type CapturingBox, openCapturing } from './open-capturing.ts'
import { watchForOperator } from './operator-watch.ts'
import { reloader } from './reload.ts'
import { RoomWatch } from './room-watch.ts'
import { startListeners } from './serve-listeners.ts'
import { type ServiceManager, serviceManager } from './service-manager.ts'
import type { Session } from './session.ts'
import { type Hangups, outliveTerminal, stopSignal } from './stop-signal.ts'
import { StoringNotices } from './storing-notices.ts'
import { supervise } from './supervision.ts'
import { warnOfProxy } from './untrusted-proxy.ts'

/** How often the server looks for changes that commands made: well within the promised second. */
const refreshMs = 200
/** How often refusals are written and the disk is looked at. */
const housekeepingMs = 1000
/** How often the heap's size is looked at: under full load it grows by some 100 MB a second. */
const memoryWatchMs = 300
/** What may still be under way this long after the signal is cut; the process ends within 10 s (contract section 6). */
const graceMs = 9000
/** A disk may keep us waiting for ever, whoever stops us does not: what it has not taken by then was never acknowledged. */
const endMsMax = 9500

export interface ServeHooks {
  /** Reads the configuration again, on SIGHUP. */
  readConfig: () => LoadedConfig
  /** Wraps the ledger, to watch what is captured. */
  ledger?: (ledger: Ledger) => Ledger
  /** A connected domain on which the test page answers too (docs/decisions/0013). */
  testPageDoorway?: string
  /** Told once the ports are bound. */
  onListening?: (box: CapturingBox, log: Log) => Promise<void> | void
}

/** Runs the service until it is told to stop. */
export async function runServer(config: Config, session: Session, hooks: ServeHooks): Promise<ExitStatus> {
  const { clock, err } = session
  const logging = { ...config.log, write: (line: string) => err.write(line), now: clock.now }
  const log = openLog(logging)
  const hangups = outliveTerminal()
  const manager = serviceManager(session)
  const storing = new StoringNotices(log, clock)
  const box = await openCapturing(config, session, {
    writer: 'thread',
    commitNotices: storing,
    onThreadNotice: (notice) => storing.onThreadNotice(notice),
    onMigration: (databaseBytes) => manager.migrating(databaseBytes),
    onSnapshot: (file) => log.info('A snapshot was written before the database was brought up to date.', { file }),
  })
  let overdue: Timer | undefined
  const onStopping = () => {
    manager.stopping()
    overdue = setTimeout(() => endUnfinished(log), endMsMax)
  }
  try {
    await serveUntilStopped({ config, session, box, log, logging, storing, hooks, hangups, manager, onStopping })
    return 0
  } finally {
    await box.close()
    clearTimeout(overdue)
  }
}

function endUnfinished(log: Log): never {
  log.error('The disk did not take everything in time: what was not acknowledged yet is lost, nothing else.')
  process.exit(1)
}

interface Running {
  config: Config
  session: Session
  box: CapturingBox
  log: Log
  logging: LogOptions
  storing: StoringNotices
  hooks: ServeHooks
  hangups: Hangups
  manager: ServiceManager
  onStopping: () => void
}

async function serveUntilStopped(running: Running): Promise<void> {
  const { config, session, box, log, logging, storing, hooks, hangups, manager, onStopping } = running
  const { clock } = session
  const { server } = config
  const limits = { ...config.limits }
  const trustedProxies = { ...compileTrustedProxies(server.trustedProxies) }
  await renewNameKey(box.signingKeys, log)
  const directory = await SiteDirectory.open(box)
  refuseSharedHost(directory, config)
  const refusals = new RefusalTally(box.refusals, clock, server.previewHost)
  const room = new RoomWatch(await freeMegabytes(box.dataDir), limits.minFreeMb, log)
  const requests = new RequestFigures()
  const certificates = new CertificateFigures(clock)
  await using watch = watchForOperator({ config, box, directory, requests, certificates, refusals, log })
  const stopped = stopSignal()
  const downloads = new Downloads({
    bounds: downloadBounds(await descriptorLimit()),
    sendQueues: readSendQueues,
    monotonicMs: clock.monotonicMs,
  })
  const parts: ListenerParts = {
    directory,
    ledger: hooks.ledger?.(box.ledger) ?? box.ledger,
    assets: box.assets,
    catalogue: box.catalogue,
    budgets: new TokenBuckets(clock),
    downloads,
    botCheck: createBotCheck({ challenges: box.challenges, keys: () => directory.signingKeys, clock, log }),
    refusals,
    requests,
    certificates,
    verifiedCookies: new VerifiedCookies(),
    urls: new UrlCleaner(),
    verdicts: new Verdicts(),
    room: room.room,
    limits,
    previewHost: server.previewHost,
    trustedProxies,
    clientFiles,
    testPage,
    testPageDoorway: hooks.testPageDoorway ?? null,
    onUntrustedProxy: (peer) => warnOfProxy(peer, box.dataDir, log),
    clock,
    log,
  }
  const listeners = await startListeners(parts, config)
  log.info('Listening.', { ...listeners.plain, accounts: directory.accountCount })
  await hooks.onListening?.(box, log)
  hangups.answerWith(
    reloader({ config, live: { limits, trustedProxies, logging, room }, read: hooks.readConfig, manager, log }),
  )
  const supervision = supervise({ manager, box, directory, log })

  const refresh = everyInterval(refreshMs, () => directory.refresh(), log)
  const memory = new MemoryWatch()
  const memoryWatch = everyInterval(memoryWatchMs, () => memory.look(), log)
  const housekeeping = everyInterval(
    housekeepingMs,
    async () => {
      room.update(await freeMegabytes(box.dataDir))
      await refusals.flush()
      storing.look()
    },
    log,
  )
  log.info('Stopping.', { signal: await stopped })
  onStopping()
  void supervision.stop()
  watch.stopping()
  await Promise.all(listeners.all.map((listener) => listener.stop(graceMs)))
  downloads.stop()
  await refresh.stop()
  await housekeeping.stop()
  await memoryWatch.stop()
  await refusals.flush()
  log.info('Stopped.')
}

/** `apply` refuses such a domain; but the configuration may have changed since. */
function refuseSharedHost(directory: SiteDirectory, { server }: Config): void {
  const holder = directory.siteOf(server.previewHost)
  if (holder === null) return
  throw new OperatorError(
    `The preview host ${server.previewHost} is a connected domain of the account "${holder.account.handle}", whose pages and forms nobody could reach. Set another [server] preview_host in capture.toml.`,
  )
}
