export type StopSignal = 'SIGTERM' | 'SIGINT'

/**
 * Resolves with the first stop signal. A second Ctrl-C ends the process at once; a second SIGTERM is ignored, because supervisors and
 * wrappers may forward it twice and the stop is bounded anyway.
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

/** Handles SIGHUP, which never ends the service: the service outlives its terminal. */
export interface Hangups {
  /** Sets the work for each signal. An earlier signal triggers it at once. */
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
