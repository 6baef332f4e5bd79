import { existsSync, mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { writeDemoSite } from '../../client/demo.ts'
import { type Config, consoleListenByDefault } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { inviteUser } from '../../console/user/invite.ts'
import type { Entry } from '../../ledger/entry.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { applyFolder } from '../../operations/apply/apply-folder.ts'
import { readSiteFolder, type SiteFolder } from '../../site/folder.ts'
import { isHeld, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import type { ExitStatus } from '../command.ts'
import { consoleBase } from '../console/console-base.ts'
import { commandPublisher } from '../input/typing-user.ts'
import { type CommandBox, openBox } from '../open.ts'
import { styleFor } from '../output/style.ts'
import { recordLine } from '../record/record-line.ts'
import type { Session } from '../session.ts'
import { AddressTaken } from './address-taken.ts'
import { demoAddresses, demoHost } from './demo-addresses.ts'
import { runServer } from './serve-run.ts'

const folderName = 'capture-demo'
const dataName = 'data'
const demoOwner = 'owner@demo.example'
const firstPort = 8080
/** Ports tried, upwards. */
const portsTried = 40

/**
 * `capture serve --demo`: publishes the embedded site into a folder of its own, serves it on this
 * machine only, prints every address, and shows records as they are captured.
 */
export async function runDemo(session: Session): Promise<ExitStatus> {
  const dir = demoFolder(session)
  refuseSecondDemo(dir)
  for (let from = firstPort; ; ) {
    const port = await freePort(from)
    try {
      return await serveDemo(dir, port, session)
    } catch (error) {
      // Another demo took the port at the same moment.
      if (!(error instanceof AddressTaken)) throw error
      from = port + 1
    }
  }
}

async function serveDemo(dir: string, port: number, session: Session): Promise<ExitStatus> {
  const { config, file } = await demoConfig(dir, port, session)
  const published = await publishDemo(config, dir, session)
  return runServer(config, session, {
    readConfig: () => loadConfig({ file, env: session.env, cwd: dir }),
    testPageDoorway: demoHost,
    ledger: (ledger) => watched(ledger, shownOn(session)),
    onListening: async (box) => {
      await session.out.write(await demoAddresses({ config, file, ...published, box, session }))
    },
  })
}

/** `capture-demo` in the current folder, so that a second run finds its records. */
function demoFolder({ cwd }: Session): string {
  const dir = join(cwd, folderName)
  try {
    mkdirSync(dir, { recursive: true })
    return dir
  } catch (error) {
    throw new OperatorError(
      `The demo's folder ${dir} cannot be made: ${(error as Error).message}. Run it from a folder you may write to.`,
    )
  }
}

/** Checked before anything is written, because the configuration there belongs to the running demo. */
function refuseSecondDemo(dir: string): void {
  const dataDir = join(dir, dataName)
  if (!existsSync(dataDir)) return
  const lock = takeFolderLock(dataDir, 'serve', 'capture serve --demo')
  if (isHeld(lock)) {
    lock.release()
    return
  }
  throw new OperatorError(
    `A demo is already running in ${dir} (process ${lock.pid}: ${lock.doing}). Open the address that it printed, stop it first, or run a second demo in another folder.`,
  )
}

async function demoConfig(dir: string, port: number, { env }: Session): Promise<{ config: Config; file: string }> {
  const file = join(dir, 'capture.toml')
  // Above the default port, which the service does without if another program takes it meanwhile.
  const consolePort = await freePort(Math.max(port, consoleListenByDefault.port) + 1)
  await writeFile(file, configText(port, consolePort))
  const { config } = loadConfig({ file, env, cwd: dir })
  return { config, file }
}

const configText = (port: number, consolePort: number) => `# Every \`capture serve --demo\` writes this file again.
data_dir = "./${dataName}"

[server]
listen = "127.0.0.1:${port}"

[operator]
listen = ""

[console]
listen = "127.0.0.1:${consolePort}"

[limits]
min_free_mb = 0

[log]
level = "warn"
format = "pretty"
`

interface PublishedDemo {
  /** The site's, for the test page; `null`: removed from the folder. */
  trackingKey: string | null
  /** Opens the console; while nobody has accepted one, an invitation. */
  consoleLink: string
}

async function publishDemo(config: Config, dir: string, session: Session): Promise<PublishedDemo> {
  const site = join(dir, 'site')
  // Write the folder only once, to keep the user's changes.
  if (!existsSync(site)) await writeDemoSite(site)
  const folder = allowingTestPage(await readSiteFolder(site, session.env), config)
  const box = await openBox(config, session)
  try {
    const unwatched = { onProgress: () => {}, onPublished: () => {} }
    const by = commandPublisher(session)
    const rights = { connects: 'any', mayDecideOnData: true } as const
    const wanted = { folder, dir: site, dryRun: false, prune: true, by, isHere: false, ...rights }
    await applyFolder(box, wanted, unwatched)
    return { trackingKey: folder.trackingKey, consoleLink: await consoleLink(box) }
  } finally {
    await box.close()
  }
}

async function consoleLink({ config, clock, consoleStores }: CommandBox): Promise<string> {
  const { users } = await consoleStores()
  const isUsed = (await users.list()).length > 0
  const invited = isUsed
    ? null
    : await inviteUser({ users, clock }, { email: demoOwner, invited: { isOwner: true }, by: null })
  return `${consoleBase(config)}${invited?.path ?? '/'}`
}

/** The test page's origin has this run's port, so the folder cannot contain it. */
function allowingTestPage(folder: SiteFolder, config: Config): SiteFolder {
  const origin = publicBase(config, config.server.previewHost)
  const { settings } = folder
  return { ...folder, settings: { ...settings, origins: [...settings.origins, origin] } }
}

function shownOn({ out, env }: Session): (entry: Entry) => void {
  const style = styleFor(out, env)
  // The reader may have closed the pipe (`| head`): keep serving.
  return (entry) => void out.write(recordLine(entry, style)).catch(() => {})
}

/** The ledger, printing each record once it is on disk. */
function watched(ledger: Ledger, show: (entry: Entry) => void): Ledger {
  return {
    readAfter: (query) => ledger.readAfter(query),
    append: async (entries) => {
      await ledger.append(entries)
      for (const entry of entries) show(entry)
    },
    appendSoon: async (entries) => {
      await ledger.appendSoon(entries)
      for (const entry of entries) show(entry)
    },
  }
}

async function freePort(from: number): Promise<number> {
  for (let port = from; port < firstPort + portsTried; port++) {
    if (await canBind(port)) return port
  }
  throw new OperatorError(`Every port from ${firstPort} to ${firstPort + portsTried - 1} is taken on 127.0.0.1.`)
}

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
