import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const executable = places.find((place) => existsSync(place))

/** Whether there is a Chromium here; browser tests are skipped without one (`./install.sh --dev` installs it). */
export const hasChromium = executable !== undefined

/** Every name leads to this port of the loopback interface: the browser under test reaches nothing else. */
export function startChromium(port: number, publicKeyHash: string): Promise<Browser> {
  if (executable === undefined) throw new Error('There is no Chromium. Install it with ./install.sh --dev')
  return chromium.launch({
    executablePath: executable,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--host-resolver-rules=MAP * 127.0.0.1:${port}`,
      `--ignore-certificate-errors-spki-list=${publicKeyHash}`,
    ],
    // Visitors have a back/forward cache.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
}
