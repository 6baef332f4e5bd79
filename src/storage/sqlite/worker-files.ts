/** The entry point of the writing thread; inside the executable it is named from the root of the sources. */
export function ledgerWorkerFile(): string | URL {
  if (Bun.isStandaloneExecutable) return './storage/sqlite/commit/ledger-worker.ts'
  return new URL('./commit/ledger-worker.ts', import.meta.url)
}

/** The entry point of the thread that keeps certificates. */
export function keeperWorkerFile(): string | URL {
  if (Bun.isStandaloneExecutable) return './storage/sqlite/https/keeper-worker.ts'
  return new URL('./https/keeper-worker.ts', import.meta.url)
}

/** The entry point of the thread that delivers. */
export function deliveryWorkerFile(): string | URL {
  if (Bun.isStandaloneExecutable) return './storage/sqlite/delivery/delivery-worker.ts'
  return new URL('./delivery/delivery-worker.ts', import.meta.url)
}
