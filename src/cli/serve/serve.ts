import type { Config } from '../../config/config.ts'
import { defineCommand, usageError } from '../command.ts'
import type { Session } from '../session.ts'
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
