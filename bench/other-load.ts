const sampleMs = 1000

/** Share of the machine's processors that is busy while the bench itself rests: what else disturbs the figures. */
export async function measureOtherLoad(): Promise<number> {
  const before = await processorTimes()
  await Bun.sleep(sampleMs)
  const after = await processorTimes()
  return (after.busy - before.busy) / (after.total - before.total)
}

/** The first line of /proc/stat: user, nice, system, idle, iowait and so on, of all cores together (proc(5)). */
async function processorTimes(): Promise<{ busy: number; total: number }> {
  const [line = ''] = (await Bun.file('/proc/stat').text()).split('\n')
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const total = times.reduce((sum, time) => sum + time, 0)
  const [, , , idle = 0, waiting = 0] = times
  return { busy: total - idle - waiting, total }
}
