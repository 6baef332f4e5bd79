/** The entry points of the threads that back up: inside the executable they are named from the root of the sources. */
export const backupWorkerFile = (): string | URL => workerFile('backup-worker.ts')
export const copyWorkerFile = (): string | URL => workerFile('copy-worker.ts')
export const pressWorkerFile = (): string | URL => workerFile('press-worker.ts')

const workerFile = (name: string): string | URL =>
  Bun.isStandaloneExecutable ? `./cli/backup/targets/${name}` : new URL(`./${name}`, import.meta.url)
