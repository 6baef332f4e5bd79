import { existsSync, mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { StoredAccount } from '../../account/account.ts'
import { signClickToken } from '../../capture/click-token.ts'
import { writeExample } from '../../client/examples.ts'
import { type Config, consoleListenByDefault } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { consoleBase, publicBase } from '../../config/own-hosts.ts'
import { inviteUser } from '../../console/user/user-acts.ts'
import type { Entry } from '../../ledger/entry.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { madeAt } from '../../lib/id.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { applyFolder } from '../../operations/apply/apply-folder.ts'
import { previewAddresses } from '../../operations/page/preview-link.ts'
import { readSiteFolder, type SiteFolder } from '../../site/folder.ts'
import { harmKinds } from '../../site/harm.ts'
import { isHeld, takeFolderLock } from '../../storage/lock/folder-lock.ts'
import type { ExitStatus } from '../command.ts'
import { commandPublisher } from '../input/typing-user.ts'
import { type CapturingBox, type CommandBox, openBox } from '../open.ts'
import { styleFor } from '../output/style.ts'
import { recordLine } from '../record/record-line.ts'
import type { Session } from '../session.ts'
import { appendFortnight } from './demo-fortnight.ts'
import { AddressTaken, freePort } from './ports.ts'
import { runServer } from './serve-run.ts'

const folderName = 'capture-demo'
const dataName = 'data'
const demoOwner = 'owner@demo.example'
const firstPort = 8080
const portsTried = 40

/**
 * `capture serve --demo`: publishes the embedded site into a folder of its own, serves it on this
 * machine only, prints every address, and shows records as they are captured.
 */
export async function runDemo(session: Session): Promise<ExitStatus> {
  const dir = demoFolder(session)
  refuseSecondDemo(dir)
  for (let from = firstPort; ; ) {
    const port = demoPort(from)
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
    testPageDomain: demoHost,
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
  const consolePort = demoPort(Math.max(port, consoleListenByDefault.port) + 1)
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
  if (!existsSync(site)) await writeExample('demo', site)
  const folder = allowingTestPage(await readSiteFolder(site, session.env), config)
  const box = await openBox(config, session)
  try {
    const unwatched = { onProgress: () => {}, onPublished: () => {} }
    const by = commandPublisher(session)
    const rights = { connects: 'any', mayDecideOnData: true } as const
    const consent = { accept: new Set(harmKinds), strict: false }
    const wanted = {
      folder,
      dir: site,
      dryRun: false,
      prune: true,
      ...consent,
      by,
      origin: 'elsewhere' as const,
      ...rights,
    }
    await applyFolder(box, wanted, unwatched)
    await fillFortnight(box, config)
    return { trackingKey: folder.trackingKey, consoleLink: await consoleLink(box) }
  } finally {
    await box.close()
  }
}

/** So that a first look at the console and the report sees what a fortnight in use looks like. */
async function fillFortnight({ accounts, catalogue, ledger }: CommandBox, config: Config): Promise<void> {
  const account = await accounts.find(handle)
  const form = account?.forms.find(({ id }) => id === demoForm)
  const home = account?.settings.home
  if (account === null || form === undefined || home == null) return
  const pages = (await catalogue.assets(account.id)).filter(({ kind }) => kind === 'page')
  const contents = new Map(pages.map(({ name, current }) => [name, current.sha256]))
  if (contents.has(home))
    await appendFortnight(ledger, { account, form, origin: publicBase(config, demoHost), home, contents })
}

async function consoleLink(box: CommandBox): Promise<string> {
  const { users } = await box.consoleStores()
  const address = () => consoleBase(box.config)
  if ((await users.list()).length > 0) return `${address()}/`
  const { answer } = await inviteUser.run(
    { ...box, users, address },
    { email: demoOwner, owner: true },
    { caller: null },
  )
  return answer.link
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

function demoPort(from: number): number {
  for (let port = from; port < firstPort + portsTried; port++) {
    try {
      return freePort({ host: '127.0.0.1', port })
    } catch {
      // The next one may be free.
    }
  }
  throw new OperatorError(`Every port from ${firstPort} to ${firstPort + portsTried - 1} is taken on 127.0.0.1.`)
}

const handle = 'demo'
const demoForm = 'neapform'
/** Used in all printed addresses: not every program knows `localhost`, and fewer know names below it. */
const demoHost = '127.0.0.1'
/** Long enough to come back to the demo after a weekend. */
const previewTtlMs = 7 * 86_400_000

interface DemoAddressing {
  config: Config
  file: string
  trackingKey: string | null
  consoleLink: string
  box: CapturingBox
  session: Session
}

/** The demo's output once it is ready: every address, and how to read the records. */
async function demoAddresses(addressing: DemoAddressing): Promise<string> {
  const { config, file, consoleLink, box, session } = addressing
  const style = styleFor(session.out, session.env)
  const account = await box.accounts.find(handle)
  const base = publicBase(config, demoHost)
  const home = `${base}/${account?.settings.home ?? ''}`
  const previewBase = publicBase(config, config.server.previewHost)
  const flag = `--config ${relative(session.cwd, file)}`
  const since = account === null ? '1d' : new Date(madeAt(account.id)).toISOString()
  const line = (what: string, address: string, says: string): string =>
    `  ${style('heading', what.padEnd(13))}  ${address}\n  ${' '.repeat(13)}  ${style('dim', says)}\n`

  return `Capture is running with the example account "${handle}". Stop it with Ctrl-C.

${line('Landing page', home, 'A form with a bot check, a question about counting visits, events. Fill it in.')}
${line('Tracked link', await trackedLink(addressing, account, home), 'As in a newsletter: it records the click, then redirects you.')}
${line('Test page', await testPage(addressing, account), `Tries every form and domain from your browser, on ${new URL(previewBase).host} if your browser knows that name.`)}
${line('Console', consoleLink, 'Where an agency reads its leads. The first visit makes you its owner.')}
Everything it writes is in ${config.dataDir} (delete the folder to start the demo afresh).
Console and report begin with a fortnight of made-up visits and leads; each of these leads has the field "made_up".
Read what is captured from now on:

  ./capture export ${handle} submissions ${flag} --since ${since}
  ./capture export ${handle} events ${flag} --since ${since}

${style('heading', 'Captured from now on')} (times in UTC, and the end of each device's id):

`
}

async function trackedLink({ box, session }: DemoAddressing, account: StoredAccount | null, home: string) {
  const token =
    account &&
    signClickToken(
      {
        destination: `${home}?utm_source=newsletter&utm_medium=email&utm_campaign=demo`,
        message: 'demo-newsletter',
        recipient: null,
        sentAt: session.clock.now(),
      },
      account.id,
      (await box.signingKeys.read()).current('click'),
    )
  return `${new URL(home).origin}/_svc/c/${token}`
}

async function testPage({ config, box, session, trackingKey }: DemoAddressing, account: StoredAccount | null) {
  const signing = { config, clock: session.clock, signingKeys: box.signingKeys }
  const addresses = await previewAddresses(signing, account ?? { id: '', handle }, previewTtlMs)
  return addresses.testPage(demoHost) + (trackingKey === null ? '' : `#key=${trackingKey}`)
}
