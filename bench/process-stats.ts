/** Clock ticks a second in /proc (USER_HZ, fixed at 100 on Linux). */
const ticksPerSecond = 100
const bytesPerMegabyte = 1e6

/** Resident memory of a process now, and the most it ever was, in megabytes. */
export async function residentMegabytes(pid: number): Promise<{ now: number; peak: number }> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return { now: kilobytes(status, 'VmRSS'), peak: kilobytes(status, 'VmHWM') }
}

function kilobytes(status: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)
  return (Number(found?.[1]) * 1024) / bytesPerMegabyte
}

/** Processor seconds that a process, all its threads included, has used so far. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  // The command name may hold spaces: what follows its closing parenthesis is numbered from 3 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
