/** The entry point of the console's thread: inside the executable it is named from the root of the sources. */
export function consoleWorkerFile(): string | URL {
  if (Bun.isStandaloneExecutable) return './cli/console/console-worker.ts'
  return new URL('./console-worker.ts', import.meta.url)
}
