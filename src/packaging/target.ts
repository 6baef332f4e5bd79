/** A kind of machine that executables are made for. */
export interface BuildTarget {
  /** As names of files and trusted comments have it. */
  name: string
  /** As Bun's compiler has it. */
  compile: Bun.Build.CompileTarget
  /** The npm package with Bun for it. */
  runtimePackage: string
  /** As Debian calls it; `null`: Debian has no such machines. */
  debian: 'amd64' | 'arm64' | null
}

/** Bun's executable for x64 needs SSE4.2 alone and looks for AVX2 when it runs: there is no "baseline" beside it. */
export const targets: readonly BuildTarget[] = [
  { name: 'linux-x64', compile: 'bun-linux-x64', runtimePackage: '@oven/bun-linux-x64', debian: 'amd64' },
  { name: 'linux-arm64', compile: 'bun-linux-arm64', runtimePackage: '@oven/bun-linux-aarch64', debian: 'arm64' },
  { name: 'linux-x64-musl', compile: 'bun-linux-x64-musl', runtimePackage: '@oven/bun-linux-x64-musl', debian: null },
]

/** What this machine is called. Bun's own executable tells which C library it is for: its loader's name is in there. */
export async function hostTargetName(): Promise<string> {
  const head = await Bun.file(process.execPath).slice(0, 4096).text()
  return `${process.platform}-${process.arch}${head.includes('/ld-musl-') ? '-musl' : ''}`
}
