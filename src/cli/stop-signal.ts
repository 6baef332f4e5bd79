/** Resolves with the name of the first signal that asks the process to stop. A second one ends it at once. */
export function stopSignal(): Promise<'SIGTERM' | 'SIGINT'> {
  const { promise, resolve } = Promise.withResolvers<'SIGTERM' | 'SIGINT'>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      resolve(signal)
      process.once(signal, () => process.exit(1))
    })
  }
  return promise
}
