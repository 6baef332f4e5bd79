/** A thread's entry point. The executable is built with all of them, under the same names. */
export const workerFile = (name: string): string | URL =>
  Bun.isStandaloneExecutable
    ? `./cli/workers/${name}-worker.ts`
    : new URL(`../workers/${name}-worker.ts`, import.meta.url)
