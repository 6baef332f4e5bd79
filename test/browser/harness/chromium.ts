import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { waitMsMax } from '../../harness/eventually.ts'
import { type Certificate, selfSignedCertificate } from './certificate.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const shellPlace = '/usr/bin/chromium-headless-shell'

const executable = places.find((place) => existsSync(place))
/** Draws no windows and takes less than half the processor time. It has no prerendering and no back/forward cache. */
const shell = existsSync(shellPlace) ? shellPlace : undefined

/** Whether there is a Chromium here; browser tests are skipped without one (`./install.sh --dev` installs it). */
export const hasChromium = executable !== undefined

/** Where the hosted bot checks' scripts come from: tests put stand-ins there. */
const providerHosts = ['challenges.cloudflare.com', 'js.hcaptcha.com', 'www.google.com']

/** These names lead to a port of the loopback interface; no other leads anywhere, whatever the browser is curious about. */
function resolverRules(port: number): string {
  const known = ['*.test', ...providerHosts].map((host) => `MAP ${host} 127.0.0.1:${port}`)
  const local = ['127.0.0.1', 'localhost', '*.localhost'].map((host) => `EXCLUDE ${host}`)
  return [...known, 'MAP * ~NOTFOUND', ...local].join(', ')
}

/** A browser, and the server to which it takes all names that it knows. */
export class Reach {
  readonly server: Bun.Server<undefined>
  private started: Promise<Browser> | undefined

  /** @param whole with all that a browser with windows has: the back/forward cache, say */
  constructor(
    readonly certificate: Certificate,
    private readonly whole = false,
  ) {
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { key: certificate.key, cert: certificate.cert },
      idleTimeout: 60,
      fetch: () => new Response('Nothing here', { status: 404 }),
    })
  }

  /** Started when it is first needed, and anew if it died: this Chromium sometimes does as it closes a context. */
  browser(): Promise<Browser> {
    const again = () => this.launch()
    this.started = this.started?.then((browser) => (browser.isConnected() ? browser : again()), again) ?? this.launch()
    return this.started
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.started)?.close()
    await this.server.stop(true)
  }

  private async launch(): Promise<Browser> {
    const browser = await chromium.launch({
      executablePath: join(import.meta.dir, 'chromium.sh'),
      env: { ...process.env, CHROMIUM: this.whole ? installed() : (shell ?? installed()) },
      headless: true,
      args: argumentsFor(this.server.port, this.certificate),
      // Visitors have a back/forward cache.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
      // One of its own would stay behind with a process that was killed.
      artifactsDir: tmpdir(),
      timeout: waitMsMax,
    })
    return browser.on('context', (context) => context.setDefaultTimeout(waitMsMax))
  }
}

/** What is started once a process. */
let shared: Promise<Reach> | undefined

/**
 * For all files of this process, which run one after the other. Its browser also knows the names of this machine, such
 * as `preview.localhost`, and ends with the process.
 */
export function sharedReach(): Promise<Reach> {
  shared ??= selfSignedCertificate().then((certificate) => new Reach(certificate))
  return shared
}

/** To be left with `closeContexts`. */
export const sharedChromium = async (): Promise<Browser> => (await sharedReach()).browser()

/** At the end of a file: nothing that it opened in the shared browser is left. */
export async function closeContexts(): Promise<void> {
  const contexts = (await sharedChromium()).contexts()
  await Promise.all(contexts.map((context) => context.close()))
}

/**
 * A browser that opens one address and that nobody drives, since Chromium prerenders nothing while a debugger is
 * attached. It reaches the front and nothing else; what it does, the front sees. Ends with what is returned.
 */
export function startUnwatchedChromium({ server, certificate }: Reach, url: string): () => Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'capture-browser-'))
  const options = argumentsFor(server.port, certificate)
  const child = Bun.spawn([installed(), '--headless=new', `--user-data-dir=${profile}`, ...options, url], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  return async () => {
    child.kill()
    await child.exited
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

function installed(): string {
  if (executable === undefined) throw new Error('There is no Chromium. Install it with ./install.sh --dev')
  return executable
}

const argumentsFor = (port = 0, { publicKeyHash }: Certificate): string[] => [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--host-resolver-rules=${resolverRules(port)}`,
  `--ignore-certificate-errors-spki-list=${publicKeyHash}`,
]
