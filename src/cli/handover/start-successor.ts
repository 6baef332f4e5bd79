import type { Session } from '../session.ts'

/**
 * Starts the executable now at this one's path, with this process's arguments and environment, so that it is in the same sandbox
 * and service. It outlives this process.
 */
export function startSuccessor({ argv, env, cwd }: Pick<Session, 'argv' | 'env' | 'cwd'>): Bun.Subprocess {
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
