/** A kernel setting by its sysctl(8) name; `null`: it does not exist or is not shown. */
export async function readKernelSetting(name: string): Promise<string | null> {
  try {
    return (await Bun.file(`/proc/sys/${name.replaceAll('.', '/')}`).text()).trim()
  } catch {
    return null
  }
}
