import { defineCommand } from './command.ts'

export const serve = defineCommand({
  name: 'serve',
  summary: 'Runs the service',
  details: `--demo needs nothing before it: it publishes an example site into a folder of its own and prints its addresses.
SIGTERM and SIGINT stop the service: what is in flight is answered and everything held is written.
SIGHUP reads the configuration again. Under systemd: capture help service install.`,
  args: {},
  options: { demo: { summary: 'serve an example account, and show records as they arrive' } },
  printsResult: false,
  async run({ options }, session) {
    if (options.demo) {
      const { runDemo } = await import('./serve-demo.ts')
      return runDemo(session)
    }
    const { runServer } = await import('./serve-run.ts')
    const { noticeOtherBox } = await import('./other-boxes.ts')
    const { loadConfig } = await import('../config/load.ts')
    const { config, file } = await session.loadConfig()
    const where = { dataDir: config.dataDir, configFile: file, cwd: session.cwd }
    const { env, cwd } = session
    return runServer(config, session, {
      readConfig: () => loadConfig({ env, cwd, ...(file === null ? {} : { file }) }),
      onListening: ({ accounts }, log) => noticeOtherBox(accounts, where, (message) => log.warn(message)),
    })
  },
})
