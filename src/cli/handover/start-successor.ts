import type { Session } from '../session.ts'

/**
 * Starts the executable that lies at this one's path now, with the words and the environment of this process, so that it
 * is in the same sandbox and belongs to the same service. It outlives this process.
 */
export function startSuccessor({ argv, env, cwd }: Pick<Session, 'argv' | 'env' | 'cwd'>): Bun.Subprocess {
  const program = Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main]
  const words = argv.filter((word) => word !== '--replace')
  return Bun.spawn([...program, ...words, '--replace'], {
    cwd,
    // Signs of life are expected of this process, as long as it is the service.
    env: { ...env, WATCHDOG_PID: undefined },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
}
