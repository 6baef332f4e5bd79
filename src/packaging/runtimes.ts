import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { type BuildTarget, hostTargetName } from './target.ts'

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
