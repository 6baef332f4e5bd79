import type { Config } from '../../config/config.ts'
import { addressText, type ListenAddress } from '../../config/values.ts'
import { reachableHost } from '../../lib/hostname.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { defineCommand, usageError } from '../command.ts'
import type { Session } from '../session.ts'
import { withPortsInUse } from './control-socket.ts'
import type { Predecessor } from './predecessor.ts'
import type { ServeHooks } from './running-service.ts'

export const serve = defineCommand({
  name: 'serve',
  summary: 'Runs the service',
  details: `--demo needs no preparation: it publishes an example site into its own folder and prints the addresses.
SIGTERM and SIGINT stop the service once requests in flight are answered and buffered records are written.
SIGHUP reads the configuration again. Under systemd: capture help service install.
--replace, which \`capture upgrade\` uses, listens beside the running service, lets requests wait until that one has written
everything, and then serves. If no service runs, this is an ordinary start.`,
  options: {
    demo: { summary: 'serve an example account, and show records as they arrive' },
    replace: { summary: 'take over from the service that runs on the data folder, without losing a request' },
  },
  printsResult: false,
  async run({ options }, session) {
    if (options.demo && options.replace) throw usageError('--demo and --replace exclude each other.')
    if (options.demo) {
      const { runDemo } = await import('./serve-demo.ts')
      return runDemo(session)
    }
    const { runServer } = await import('./serve-run.ts')
    const { noticeOtherBox } = await import('../data-folder/prepare.ts')
    const { loadConfig } = await import('../../config/load.ts')
    const { config, file } = await session.loadConfig()
    const where = { dataDir: config.dataDir, configFile: file, cwd: session.cwd }
    const { env, cwd } = session
    const hooks: ServeHooks = {
      handsOver: true,
      readConfig: () => loadConfig({ env, cwd, ...(file === null ? {} : { file }) }),
      onListening: ({ accounts }, log) => noticeOtherBox(accounts, where, (message) => log.warn(message)),
    }
    return runServer(config, session, hooks, options.replace ? await predecessorOf(config, session) : null)
  },
})

/** Connects to the running service as the owner of its data folder. */
async function predecessorOf({ dataDir }: Config, session: Session): Promise<Predecessor | null> {
  const { actAsDataOwner, processUser, typedCommandLine } = await import('../data-folder/data-owner.ts')
  const { Predecessor } = await import('./predecessor.ts')
  actAsDataOwner({ dataDir, user: processUser(), typed: typedCommandLine(session) })
  return Predecessor.meet(dataDir)
}

/** A probe takes at most 12 s. */
const answerMsMax = 15_000

export const ready = defineCommand({
  name: 'ready',
  summary: 'Says whether the running service would store a record now',
  details: `Asks /readyz at [operator] listen. Ends with 0 when it is ready, else with 1: for health checks of containers, and for
scripts that wait. --json prints { "ready": true|false, "says": "…" }.`,
  async run(_, { loadConfig }) {
    const { listen } = (await withPortsInUse((await loadConfig()).config)).operator
    if (listen === null) throw new OperatorError('[operator] listen is "": there is no address to ask. Set one.')
    const answer = await asked(listen)
    return { json: answer, text: () => `${answer.says}\n`, exitStatus: answer.ready ? 0 : 1 }
  },
})

async function asked({ host, port }: ListenAddress): Promise<{ ready: boolean; says: string }> {
  const address = addressText({ host: reachableHost(host), port })
  try {
    const response = await fetch(`http://${address}/readyz`, {
      signal: AbortSignal.timeout(answerMsMax),
      redirect: 'manual',
      proxy: false,
    })
    return { ready: response.status === 200, says: (await response.text()).trim() }
  } catch {
    return { ready: false, says: `Nothing answers at ${address}: the service does not run, or is just starting.` }
  }
}
