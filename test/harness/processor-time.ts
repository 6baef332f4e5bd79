/** What the work costs this process, in milliseconds of processor time: others on the machine make it no longer. */
export function processorMs(work: () => void): number {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
