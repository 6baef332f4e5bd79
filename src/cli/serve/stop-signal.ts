export type StopSignal = 'SIGTERM' | 'SIGINT'

/**
 * Resolves with the name of the first signal that asks the process to stop. A second Ctrl-C ends it at once; a second
 * SIGTERM changes nothing: supervisors and wrappers pass one on twice, and the stop takes no longer than it may anyway.
 */
export function stopSignal(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>()
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

/** Where SIGHUP goes. It never ends the service, which outlives the terminal that it was started from. */
export interface Hangups {
  /** From now on each one has the work done; one that came before, at once. */
  answerWith(work: () => void): void
}

export function outliveTerminal(): Hangups {
  let work: (() => void) | null = null
  let isWaiting = false
  process.on('SIGHUP', () => {
    if (work === null) isWaiting = true
    else work()
  })
  return {
    answerWith(reload) {
      work = reload
      if (isWaiting) reload()
    },
  }
}
