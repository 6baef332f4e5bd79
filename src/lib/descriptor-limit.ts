/** Assumed where the system does not say: the lowest limit of common systems. */
const assumed = 256

/** How many descriptors (RLIMIT_NOFILE, soft) this process may hold. */
export async function descriptorLimit(): Promise<number> {
  try {
    return parseDescriptorLimit(await Bun.file('/proc/self/limits').text()) ?? assumed
  } catch {
    return assumed
  }
}

/** Reads the text of `/proc/<pid>/limits` (proc_pid_limits(5)); `null`: the limit is missing. */
export function parseDescriptorLimit(limits: string): number | null {
  const [, soft] = /^Max open files\s+(\d+|unlimited)\s/m.exec(limits) ?? []
  if (soft === undefined) return null
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}
