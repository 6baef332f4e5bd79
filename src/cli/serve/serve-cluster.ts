import type { BudgetStore } from '../../capture/budget-store.ts'
import type { BringFiles } from '../../capture/file/waiting-files.ts'
import { type NodeAnswering, startNodeListener } from '../../cluster/between-nodes.ts'
import type { Standing } from '../../cluster/membership.ts'
import { SharedBudgets } from '../../cluster/shared-budgets.ts'
import { doesNotLead, WayToLeader } from '../../cluster/way-to-leader.ts'
import type { ClusterConfig } from '../../config/cluster.ts'
import { clientAddressHeader, schemeHeader } from '../../console/proxy-socket.ts'
import { makeDefaultCertificate } from '../../https/default-certificate.ts'
import { everyInterval, failureNotice } from '../../lib/interval.ts'
import { targetUrl } from '../../lib/request-target.ts'
import { HostReader } from '../../listener/arrival.ts'
import type { ConsoleBehind } from '../../listener/console/console-proxy.ts'
import { stopGently } from '../../listener/listener.ts'
import type { ListenerParts } from '../../listener/listener-parts.ts'
import { budgetsOf } from '../data-folder/cluster-budgets.ts'
import { ClusterThread } from '../threads/cluster-thread.ts'
import type { ConsoleThread } from '../threads/console-thread.ts'
import type { ThreadSurroundings } from '../threads/service-thread.ts'
import { borrowsFiles, filesPath, lendsFiles } from './node-files.ts'
import { bound } from './ports.ts'

export interface NodeStart {
  config: ClusterConfig
  databaseFile: string
  consoleThread: ConsoleThread
  /** Of this node alone. */
  budgets: BudgetStore
  surroundings: ThreadSurroundings
}

/** This machine among the nodes of its cluster. */
export interface ServedNode {
  thread: ClusterThread
  /** The console of the whole cluster, whichever node leads. */
  console: ConsoleBehind
  /** Asks the leader, which orders certificates, what an authority wants to hear. */
  askForChallenge: (token: string) => Promise<string | null>
  bringFiles: BringFiles
  /** Of all nodes together. */
  budgets: BudgetStore
  /** Begins to answer other nodes. @throws OperatorError when `[cluster] listen` cannot be bound */
  listen(parts: AnsweringParts): NodeListening
}

export interface NodeListening {
  /** Accepts no more, waits for answers in flight, and cuts the rest after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

/** How soon the console ends here once another node may lead. */
const lookMs = 100

/** Begins to follow or to lead. */
export function serveNode({ config, databaseFile, consoleThread, budgets: own, surroundings }: NodeStart): ServedNode {
  const pair = makeDefaultCertificate()
  const secret = Buffer.from(config.secret, 'base64')
  const { clock, log } = surroundings
  const way = new WayToLeader(secret, clock, failureNotice({ message: unreached, log, clock }))
  const thread = new ClusterThread({
    ...{ config, databaseFile, certificate: pair.certificate },
    onStanding: ({ leader }: Standing) => way.turnTo(leader?.certificate === pair.certificate ? null : leader),
    ...surroundings,
  })
  const budgets = new SharedBudgets({
    ...{ own, log },
    reached: budgetsOf(config),
    nodes: () => thread.sight.capturing,
  })
  return {
    thread,
    budgets,
    console: clusterConsole(consoleThread, thread, way),
    askForChallenge: challengesOf(way),
    bringFiles: borrowsFiles(() => thread.others(), secret),
    listen(parts) {
      const onError = (error: unknown) =>
        log.error('A request of another node failed.', { error: error instanceof Error ? error.message : '' })
      const answer = nodeAnswers(thread, parts)
      const server = bound({ address: config.listen, key: '[cluster] listen', shared: undefined }, (address) =>
        startNodeListener({ ...{ address, pair, secret, answer, onError } }),
      )
      log.info('Listening for other nodes.', { host: config.listen.host, port: config.listen.port })
      const watches = [consoleOfLeader(consoleThread, thread, log), budgets.begin()]
      return {
        stop: async (graceMs) => {
          await Promise.all([...watches.map((watch) => watch.stop()), stopGently(server, graceMs)])
        },
      }
    },
  }
}

const unreached =
  'The node that leads does not answer at its [cluster] listen, so this one cannot answer for the console. If another does not take over, see whether that port is open between the machines.'

type Standings = Pick<ClusterThread, 'leads'>

/** Even who only reads there writes: a session, a line of the audit log. So the leader answers for all nodes. */
export const clusterConsole = (here: ConsoleBehind, thread: Standings, way: WayToLeader): ConsoleBehind => ({
  get isElsewhere() {
    return !thread.leads
  },
  async use() {
    if (thread.leads) return here.use()
    const { ask, gone } = await way.open()
    return { send: ({ pathname, search }, init) => ask(pathname + search, init), gone, end: () => {} }
  },
})

/** What the console would write after another node took over would make this folder a history of its own. */
function consoleOfLeader(console: ConsoleThread, thread: Standings, log: ThreadSurroundings['log']) {
  let leads = thread.leads
  return everyInterval(
    lookMs,
    async () => {
      const led = leads
      leads = thread.leads
      if (led && !leads) await console.leave()
    },
    log,
  )
}

const challengePath = '/.well-known/acme-challenge/'
/** RFC 8555 section 8.3: at least 128 bits, base64url. */
const tokenPattern = /^[\w-]{22,200}$/
/** Anybody can ask for tokens. */
const askedAtOnceMax = 20
const challengeMsMax = 3000

export function challengesOf(way: WayToLeader): (token: string) => Promise<string | null> {
  let asked = 0
  return async (token) => {
    if (asked >= askedAtOnceMax || !tokenPattern.test(token)) return null
    asked++
    try {
      const { ask } = await way.open()
      const answer = await ask(challengePath + token, { signal: AbortSignal.timeout(challengeMsMax) })
      return answer.ok ? await answer.text() : null
    } catch {
      // Nobody leads, so nobody orders.
      return null
    } finally {
      asked--
    }
  }
}

type AnsweringParts = Pick<ListenerParts, 'consoleProxy' | 'challenges' | 'files' | 'uploads'>

/** What this node answers to others. */
export function nodeAnswers(
  thread: Standings,
  { consoleProxy, challenges, files, uploads }: AnsweringParts,
): NodeAnswering {
  const lending = lendsFiles(files, uploads)
  const hosts = new HostReader()
  /** What a node asks for itself. */
  const ofItself = (request: Request): Response | Promise<Response> => {
    const { pathname } = targetUrl(request)
    if (pathname.startsWith(filesPath)) return lending(request.method, pathname.slice(filesPath.length))
    if (!thread.leads) return new Response(null, { status: doesNotLead })
    if (!pathname.startsWith(challengePath)) return new Response(null, { status: 204 })
    const answer = challenges.ownAnswerTo(pathname.slice(challengePath.length))
    return new Response(answer, { status: answer === null ? 404 : 200 })
  }
  return (request, server) => {
    const { headers } = request
    const clientAddress = headers.get(clientAddressHeader)
    if (clientAddress === null) return ofItself(request)
    if (!thread.leads) return new Response(null, { status: doesNotLead })
    const named = hosts.read(headers.get('host'))
    if (named === null) return new Response(null, { status: 400 })
    const secure = headers.get(schemeHeader) === 'https'
    const ownOrigin = secure ? named.httpsOrigin : named.httpOrigin
    return consoleProxy.handOn({ request, server, ownOrigin, clientAddress, secure })
  }
}
