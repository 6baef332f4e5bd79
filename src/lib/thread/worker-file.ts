/** The entry point of a thread, named from the root of the sources: as in the executable, or as the file itself. */
export const workerFile = (name: string): string | URL =>
  Bun.isStandaloneExecutable ? `./${name}` : new URL(`../../${name}`, import.meta.url)
