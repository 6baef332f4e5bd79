import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'

const pinned = join(import.meta.dir, 'runtimes')
/** Beside other generated files, outside the sources. */
const folder = join(import.meta.dir, '../../gen/runtimes')

/**
 * The file with Bun for each target, in order; `null`: this machine's own Bun.
 *
 * `bun install` fetches them from the npm registry, refuses an archive that does not match its hash in
 * `runtimes/bun.lock`, and caches the archives: the second time needs no network.
 *
 * @throws OperatorError when they cannot be fetched
 */
export async function runtimesOf(targets: readonly BuildTarget[]): Promise<(string | null)[]> {
  const host = await hostTargetName()
  if (targets.some(({ name }) => name !== host)) await fetchRuntimes()
  return targets.map(({ name, runtimePackage }) =>
    name === host ? null : join(folder, 'node_modules', runtimePackage, 'bin/bun'),
  )
}

async function fetchRuntimes(): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const file of ['package.json', 'bun.lock']) await cp(join(pinned, file), join(folder, file))
  // Without the last two options Bun skips packages for other machines.
  const install = [process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts', '--cpu=*', '--os=*']
  const { exitCode, stderr } = Bun.spawnSync(install, {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  if (exitCode === 0) return
  throw new OperatorError(
    `Bun for other machines could not be fetched from the package registry:\n${stderr.toString().trim()}\nCheck the connection, or build only for this machine: bun run package --target ${await hostTargetName()}`,
  )
}

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
