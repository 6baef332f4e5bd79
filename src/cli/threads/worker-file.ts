/** A thread's entry point, which lies beside this file. The executable is built with all of them, under the same names. */
export const workerFile = (name: string): string | URL =>
  Bun.isStandaloneExecutable ? `./cli/threads/${name}-worker.ts` : new URL(`./${name}-worker.ts`, import.meta.url)
