/** The entry points of the console's threads: inside the executable they are named from the root of the sources. */
export const consoleWorkerFile = (): string | URL => workerFile('console-worker.ts')
export const backupRunWorkerFile = (): string | URL => workerFile('backup-run-worker.ts')
export const examinationWorkerFile = (): string | URL => workerFile('examination-worker.ts')

const workerFile = (name: string): string | URL =>
  Bun.isStandaloneExecutable ? `./cli/console/${name}` : new URL(`./${name}`, import.meta.url)
