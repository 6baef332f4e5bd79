import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchRun } from './bench-run.ts'
import { answers } from './capture-box.ts'
import { freePort, type ServerProcess } from './server-process.ts'
import { pageHtml } from './site.ts'
import { until } from './until.ts'

/** What cargo prints of each thing it has built (`--message-format=json`). */
interface CargoMessage {
  reason: string
  executable?: string | null
}

/**
 * Builds the native yardstick and answers where its program is. Built from a copy that is kept below the work folder:
 * the project stays as it is, and the next run builds nothing. What the crates' cache holds is enough for a build
 * without a network.
 *
 * @throws when cargo fails
 */
export async function buildNative(project: string, workFolder: string): Promise<string> {
  const copy = join(workFolder, 'capture-bench-native')
  await mkdir(copy, { recursive: true })
  await cp(project, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => path !== join(project, 'target'),
  })
  const offline = await cargoBuild(copy, ['--offline'])
  const built = offline.program === null ? await cargoBuild(copy, []) : offline
  if (built.program === null) throw new Error(`cargo could not build ${project}:\n${built.faults}`)
  return built.program
}

async function cargoBuild(folder: string, words: string[]): Promise<{ program: string | null; faults: string }> {
  const child = Bun.spawn(['cargo', 'build', '--release', '--message-format=json', '--target-dir=target', ...words], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, faults] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) return { program: null, faults }
  const messages = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as CargoMessage)
  return { program: messages.findLast(({ executable }) => executable)?.executable ?? null, faults }
}

/** Starts the program as docs/performance.md describes it: `PROGRAM PORT DATABASE PAGE`. */
export async function startNative(program: string, { folder, signal }: BenchRun): Promise<ServerProcess> {
  const own = await mkdtemp(join(folder, 'native-'))
  const page = join(own, 'page.html')
  await Bun.write(page, pageHtml)
  const port = await freePort()
  const child = Bun.spawn([program, String(port), join(own, 'records.db'), page], {
    stdout: 'ignore',
    stderr: 'inherit',
    signal,
  })
  await until('an answer of the native yardstick', () => {
    if (child.exitCode !== null) throw new Error(`the native yardstick ended with ${child.exitCode} at once`)
    return answers(port)
  })
  return {
    scheme: 'http',
    port,
    pid: child.pid,
    stop: async () => {
      child.kill()
      await child.exited
      await rm(own, { recursive: true })
    },
  }
}
