import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { waitMsMax } from '../../harness/eventually.ts'

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
  return [...known, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1'].join(', ')
}

/** A browser that reaches the front and nothing else. */
export const startChromium = (port: number, publicKeyHash: string): Promise<Browser> =>
  launch(shell ?? installed(), resolverRules(port), trusting(publicKeyHash))

/** The same, with all that a browser with windows has: the back/forward cache, say. */
export const startWholeChromium = (port: number, publicKeyHash: string): Promise<Browser> =>
  launch(installed(), resolverRules(port), trusting(publicKeyHash))

/** A browser that reaches the servers of this machine by the names it knows itself, such as `preview.localhost`. */
export const startLocalChromium = (): Promise<Browser> =>
  launch(shell ?? installed(), 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost')

/**
 * A browser that opens one address and that nobody drives, since Chromium prerenders nothing while a debugger is
 * attached. It reaches the front and nothing else; what it does, the front sees. Ends with what is returned.
 */
export function startUnwatchedChromium(port: number, publicKeyHash: string, url: string): () => Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'capture-browser-'))
  const options = argumentsFor(resolverRules(port), trusting(publicKeyHash))
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

const trusting = (publicKeyHash: string): string[] => [`--ignore-certificate-errors-spki-list=${publicKeyHash}`]

async function launch(executablePath: string, rules: string, options: string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: argumentsFor(rules, options),
    // Visitors have a back/forward cache.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    timeout: waitMsMax,
  })
  return browser.on('context', (context) => context.setDefaultTimeout(waitMsMax))
}

function installed(): string {
  if (executable === undefined) throw new Error('There is no Chromium. Install it with ./install.sh --dev')
  return executable
}

const argumentsFor = (rules: string, options: string[]): string[] => [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--host-resolver-rules=${rules}`,
  ...options,
]
