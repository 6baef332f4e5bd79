/** A setting of the kernel by its name, as sysctl(8) has it; `null`: the kernel does not have it, or does not show it. */
export async function readKernelSetting(name: string): Promise<string | null> {
  try {
    return (await Bun.file(`/proc/sys/${name.replaceAll('.', '/')}`).text()).trim()
  } catch {
    return null
  }
}
