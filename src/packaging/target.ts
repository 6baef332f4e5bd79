/** A kind of machine to build executables for. */
export interface BuildTarget {
  /** The name in file names and trusted comments. */
  name: string
  /** The name for Bun's compiler. */
  compile: Bun.Build.CompileTarget
  /** The npm package with Bun for it. */
  runtimePackage: string
  /** Debian's name; `null`: Debian has no such machines. */
  debian: 'amd64' | 'arm64' | null
}

/** Bun's executable for x64 needs only SSE4.2 and detects AVX2 at run time, so there is no separate "baseline". */
export const targets: readonly BuildTarget[] = [
  { name: 'linux-x64', compile: 'bun-linux-x64', runtimePackage: '@oven/bun-linux-x64', debian: 'amd64' },
  { name: 'linux-arm64', compile: 'bun-linux-arm64', runtimePackage: '@oven/bun-linux-aarch64', debian: 'arm64' },
  { name: 'linux-x64-musl', compile: 'bun-linux-x64-musl', runtimePackage: '@oven/bun-linux-x64-musl', debian: null },
]

/** The name of this machine. Bun's own executable contains its loader's name, which shows the C library. */
export async function hostTargetName(): Promise<string> {
  const head = await Bun.file(process.execPath).slice(0, 4096).text()
  return `${process.platform}-${process.arch}${head.includes('/ld-musl-') ? '-musl' : ''}`
}
