import type { SigningKeyStore } from '../../account/signing-key.ts'
import type { Config } from '../../config/config.ts'
import { isOwnHost, ownHosts, previewsBelow } from '../../config/own-hosts.ts'
import { type Log, openLog } from '../../lib/log.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { RequestQueue } from '../../lib/request-queue.ts'
import type { ListenerBasics } from '../../listener/listener.ts'
import { SiteDirectory } from '../../listener/site-directory.ts'
import { CertificateFigures } from '../../operator/figures.ts'
import type { FolderLock } from '../../storage/lock/folder-lock.ts'
import type { ExitStatus } from '../command.ts'
import { lockForServing } from '../data-folder/prepare.ts'
import { boxDatabases, type CapturingBox, openCapturing } from '../open.ts'
import type { Session } from '../session.ts'
import { programVersion } from '../version.ts'
import { openListeners, type ServiceListeners } from './listeners.ts'
import type { PortsInUse } from './ports.ts'
import type { Predecessor } from './predecessor.ts'
import {
  outliveTerminal,
  type RunningService,
  type ServeHooks,
  type StopSignal,
  stopSignal,
} from './running-service.ts'
import { serviceManager } from './service-manager.ts'
import { beginServing } from './serving.ts'
import { leavePorts, letGo, letGoForAnew, stopForGood } from './serving-ends.ts'
import { StoringNotices } from './storing-notices.ts'
import { Successor } from './successor.ts'

/**
 * Runs the service until it is asked to stop or another process has finally taken over.
 *
 * @param predecessor the running service to take over from; `null`: none
 */
export async function runServer(
  config: Config,
  session: Session,
  hooks: ServeHooks,
  predecessor: Predecessor | null = null,
): Promise<ExitStatus> {
  const { clock, err } = session
  const logging = { ...config.log, write: (line: string) => err.write(line), now: clock.now }
  const log = openLog(logging)
  let stopped: Promise<StopSignal> | null = null
  const service: RunningService = {
    ...{ config, session, hooks, log, logging },
    hangups: outliveTerminal(),
    manager: serviceManager(session),
    stalled: new Set(),
    stopped: () => {
      stopped ??= stopSignal()
      return stopped
    },
  }
  let beginning: Beginning | null = { predecessor }
  while (beginning !== null) {
    const end: Successor | Beginning | null = await serveOnce(service, beginning)
    beginning = end instanceof Successor ? await takeBack(service, end) : end
  }
  return 0
}

/** Limits for requests that arrive before the box is ready. Beyond them the answer is 503. */
const waitingBounds = { waitingMax: 10_000, waitMsMax: 10_000 }
/** A stalled disk must not block shutdown; unacknowledged data may be dropped. */
const endMsMax = 9500

/**
 * Opens the data folder and serves until the process is asked to stop, another one takes over, or the folder has to be opened anew.
 *
 * @returns the process that takes over, or how this one begins again, once the data folder is released; `null`: asked to stop
 */
async function serveOnce(service: RunningService, beginning: Beginning): Promise<Successor | Beginning | null> {
  const { predecessor } = beginning
  const entry = beginning.entry ?? (await enter(service, predecessor ?? { ports: beginning.ports ?? {}, hosts: null }))
  const { basics, early } = entry
  try {
    return await serveFolder(service, beginning, entry)
  } catch (error) {
    // Those who connect meanwhile wait here, instead of finding nobody.
    await predecessor?.failed(error instanceof OperatorError ? error.message : 'it failed')
    basics.queue.turnAway()
    if (early !== null) await leavePorts({ listeners: early, requests: { inFlight: 0 }, clock: service.session.clock })
    throw error
  }
}

interface Entry {
  basics: ListenerBasics & { certificates: CertificateFigures }
  shared: PortsInUse
  /** What was bound beside the predecessor, or beside this process's own listeners; `null`: nothing. */
  early: ServiceListeners | null
}

/** @param hosts of the listeners beside which others are bound now; `null`: there are none yet */
async function enter(
  { config, log, session, stalled }: RunningService,
  { ports: shared, hosts }: { ports: PortsInUse; hosts: readonly string[] | null },
): Promise<Entry> {
  const { clock } = session
  const certificates = new CertificateFigures(clock)
  const basics = {
    ...{ queue: new RequestQueue(waitingBounds), certificates, clock, log },
    previewHost: config.server.previewHost,
  }
  const early = hosts === null ? null : await openListeners({ basics, config, hosts, shared, stalled })
  return { basics, shared, early }
}

async function serveFolder(
  service: RunningService,
  beginning: Beginning,
  { basics, shared, early }: Entry,
): Promise<Successor | Beginning | null> {
  const { predecessor } = beginning
  const { config, log } = service
  const storing = new StoringNotices(log, service.session.clock, service.stalled)
  const folderLock = predecessor === null ? beginning.lock : await predecessor.makeWay(config)
  const box = await openFolder(service, { storing, predecessor, lock: folderLock })
  let overdue: Timer | undefined
  try {
    // The nodes of a cluster share it, and one that follows writes nothing of its own.
    if (config.cluster === null) await renewNameKey(box.signingKeys, log)
    const directory = await SiteDirectory.open({ ...box, clock: service.session.clock, log }, previewsBelow(config))
    refuseSharedHost(directory, config)
    const listeners =
      early ?? (await openListeners({ basics, config, hosts: directory.hosts, shared, stalled: service.stalled }))
    const serving = await beginServing({ service, predecessor, box, directory, basics, listeners, storing })
    beginning.onServing?.()
    const end = await serving.over
    if (typeof end === 'object') return await letGo(serving, end)
    if (end === 'joined anew') {
      const entry = await enter(service, { ports: listeners.ports, hosts: directory.hosts })
      await letGoForAnew(serving)
      return { predecessor: null, entry }
    }
    overdue = setTimeout(() => endUnfinished(service), endMsMax)
    await stopForGood(serving, end)
    return null
  } finally {
    await box.close()
    storing.close()
    clearTimeout(overdue)
  }
}

interface Opening {
  storing: StoringNotices
  predecessor: Predecessor | null
  lock: FolderLock | undefined
}

const openFolder = (
  { config, session, manager, log }: RunningService,
  { storing, predecessor, lock }: Opening,
): Promise<CapturingBox> =>
  openCapturing(config, session, {
    writer: 'thread',
    version: programVersion,
    ...{ lock, log },
    commitNotices: storing,
    onThreadNotice: (notice) => ('threadStuck' in notice ? endStuck(log) : storing.onThreadNotice(notice)),
    onMigration: (databaseBytes) => {
      manager.migrating(databaseBytes)
      predecessor?.migrating(databaseBytes)
    },
    onSnapshot: (file) => {
      predecessor?.migrated(file)
      log.info('A snapshot was written before the database was migrated.', { file })
    },
  })

/** A service manager starts the next process, which sets the record aside. */
function endStuck(log: Log): never {
  log.error(
    'Processing is at a record that it cannot leave, so the service ends. The next start sets the record aside.',
  )
  process.exit(1)
}

function endUnfinished({ log }: RunningService): never {
  log.error('The disk did not accept everything in time: only unacknowledged records are lost.')
  process.exit(1)
}

/** `apply` refuses such a domain, but the configuration may have changed since. */
function refuseSharedHost(directory: SiteDirectory, config: Config): void {
  for (const own of ownHosts(config)) {
    const host = directory.connectedHosts.find((host) => isOwnHost(own, host))
    const holder = host === undefined ? null : directory.siteOf(host)
    if (holder === null) continue
    const { use } = own
    const key = use === 'preview' ? '[server] preview_host' : '[console] host'
    throw new OperatorError(
      `The ${use} host ${host} is a connected domain of the account "${holder.account.handle}", whose pages and forms nobody could reach. Set another ${key} in capture.toml.`,
    )
  }
}

interface Beginning {
  /** The service to take over from; `null`: none. */
  predecessor: Predecessor | null
  /** The data folder's lock, if this process already has it. */
  lock?: FolderLock
  /** The ports that this process listened on before. */
  ports?: PortsInUse
  /** What this process has bound already, to open the folder anew. */
  entry?: Entry
  onServing?: () => void
}

/** The kernel needs a moment to release the locks of an ended process. */
const lockMsMax = 10_000
/** As much as any stop may take. */
const stopMsMax = 10_000

/**
 * Stands by while the other process takes over, and ends this process's role when it has.
 *
 * @returns how this process serves again; `null`: it is no longer the service
 */
async function takeBack(service: RunningService, successor: Successor): Promise<Beginning | null> {
  const { manager, log, hangups } = service
  hangups.answerWith(() => successor.signal('SIGHUP'))
  const stopped = service.stopped()
  const end = successor.isWaiting
    ? await Promise.race([successor.succeeds(manager), stopped])
    : ({ isService: false, why: 'it went away', snapshot: null } as const)
  if (typeof end === 'string') {
    // A signal to this process is meant for the service.
    await successor.stop(end, stopMsMax)
    return null
  }
  if (end.isService) {
    log.info('Handed over.', { pid: successor.pid })
    await Promise.race([successor.connectionsEnd, stopped])
    return null
  }
  log.error('The new version did not take over: this one serves again.', { why: end.why })
  await successor.stopConsole()
  const lock = await lockForServing(service.config, lockMsMax)
  if (end.snapshot !== null) {
    const { undoMigration } = await boxDatabases()
    const aside = undoMigration(service.config.dataDir, end.snapshot)
    log.warn('The database from before the migration is back; nothing was captured in between.', {
      movedAside: aside,
    })
  }
  return { predecessor: null, lock, ports: successor.ports, onServing: () => void successor.dismiss(end.why) }
}

/**
 * Gives this service a new key for proving names, so that another box from the same backup is not mistaken for it. A full disk does
 * not prevent serving.
 */
export async function renewNameKey(
  signingKeys: Pick<SigningKeyStore, 'rotate'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  try {
    await signingKeys.rotate('name')
  } catch (error) {
    log.warn('The key that proves names could not be renewed; the old one stays in use.', {
      error: error instanceof Error ? error.message : 'unknown',
    })
  }
}
