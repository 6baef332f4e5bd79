import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dir, '../..')
/** Everything that an executable is made of. */
const ingredients = [
  'src/**/*',
  'drizzle/**/*',
  'examples/**/*',
  'docs/*.md',
  '*.toml',
  'package.json',
  'bun.lock',
  'tsconfig.json',
  'release.pub',
]
/** Where they lie: not under version control, and gone with the clone. */
const shelf = join(repository, 'gen/executables')
/** Executables of earlier sources are removed once nobody can be running them any more. */
const keptMs = 60 * 60 * 1000

const pollMs = 50

/** Time that a hook which builds may take, in milliseconds. */
export const buildMsMax = 900_000

/**
 * The compiled program: the one that `CAPTURE_BINARY` names, else one of the sources as they are now.
 *
 * It lies under what tells its sources from others, so that whoever comes first builds it and all others, also in other
 * processes, use the same.
 */
export function builtExecutable(): Promise<string> {
  found ??= findOrBuild()
  return found
}

/** Gives an executable a second place: another name, since whoever replaces one renames another to its name; on another volume a copy. */
export function placeExecutable(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EXDEV') throw error
    copyFileSync(source, target)
  }
}

/** Asked for before each command of a test. */
let found: Promise<string> | undefined

async function findOrBuild(): Promise<string> {
  const given = process.env.CAPTURE_BINARY
  if (given !== undefined && given !== '') return given
  mkdirSync(shelf, { recursive: true })
  const built = join(shelf, sourcesMark())
  while (!existsSync(built)) await buildOrWait(built)
  return join(built, 'capture')
}

/** Six processes that begin at once need it at once: one builds. */
async function buildOrWait(built: string): Promise<void> {
  const builder = `${built}.builder`
  if (!becomes(builder)) return void (await Bun.sleep(pollMs))
  try {
    removeOld()
    if (!existsSync(built)) await build(built)
  } finally {
    rmSync(builder, { force: true })
  }
}

/** A link that says which process is the builder, since only one can make it. Whoever was killed is none any more. */
function becomes(builder: string): boolean {
  try {
    symlinkSync(`${process.pid}`, builder)
    return true
  } catch {
    if (!isAlive(builder)) rmSync(builder, { force: true })
    return false
  }
}

function isAlive(builder: string): boolean {
  try {
    return process.kill(Number(readlinkSync(builder)), 0)
  } catch {
    return false
  }
}

/** Sizes and times of change: each of 300 test files asks, and reading 1,200 sources takes at least five times as long. */
function sourcesMark(): string {
  const paths = ingredients.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: repository })])
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version)
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(join(repository, path))
    hash.update(`\n${path} ${size} ${mtimeMs}`)
  }
  return hash.digest('hex').slice(0, 16)
}

async function build(built: string): Promise<void> {
  const making = mkdtempSync(join(shelf, 'making-'))
  const child = Bun.spawn([process.execPath, 'run', 'build', join(making, 'capture')], {
    cwd: repository,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complained, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (status === 0 && !existsSync(built)) return renameSync(making, built)
  rmSync(making, { recursive: true, force: true })
  if (status !== 0) throw new Error(`bun run build failed:\n${said}${complained}`)
}

function removeOld(): void {
  for (const name of readdirSync(shelf)) {
    const path = join(shelf, name)
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - madeAt > keptMs) rmSync(path, { recursive: true, force: true })
  }
}
