import { cpus, release, totalmem } from 'node:os'
import { $ } from 'bun'

/** Where the figures come from: they mean nothing without it. */
export interface Machine {
  date: string
  processor: string
  cores: number
  memoryGigabytes: number
  kernel: string
  bun: string
  fileSystem: string
}

export async function describeMachine(workFolder: string): Promise<Machine> {
  const processors = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    bun: Bun.version,
    fileSystem: (await $`stat -f -c %T ${workFolder}`.text()).trim(),
  }
}
