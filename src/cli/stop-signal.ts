import type { Log } from '../lib/log.ts'

/**
 * Resolves with the name of the first signal that asks the process to stop. A second Ctrl-C ends it at once; a second
 * SIGTERM changes nothing: supervisors and wrappers pass one on twice, and the stop takes no longer than it may anyway.
 */
export function stopSignal(): Promise<'SIGTERM' | 'SIGINT'> {
  const { promise, resolve } = Promise.withResolvers<'SIGTERM' | 'SIGINT'>()
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping && signal === 'SIGINT') process.exit(1)
      stopping = true
      resolve(signal)
    })
  }
  return promise
}

/** A terminal that is closed (SIGHUP) does not end the service. */
export function outliveTerminal(log: Pick<Log, 'info'>): void {
  process.on('SIGHUP', () =>
    log.info('SIGHUP is ignored: the service goes on with the configuration that it was started with.'),
  )
}
