import { relative } from 'node:path'
import type { StoredAccount } from '../../account/account.ts'
import { signClickToken } from '../../capture/click-token.ts'
import type { Config } from '../../config/config.ts'
import { publicBase } from '../../config/own-hosts.ts'
import { previewAddresses } from '../../operations/page/preview-address.ts'
import type { CapturingBox } from '../open.ts'
import { styleFor } from '../output/style.ts'
import type { Session } from '../session.ts'

const handle = 'demo'
/** Used in all printed addresses: not every program knows `localhost`, and fewer know names below it. */
export const demoHost = '127.0.0.1'
/** Long enough to come back to the demo after a weekend. */
const previewTtlMs = 7 * 86_400_000

interface DemoAddressing {
  config: Config
  /** The demo's capture.toml. */
  file: string
  /** The site's tracking key, which is also in its pages. */
  trackingKey: string | null
  /** Opens the console. */
  consoleLink: string
  box: CapturingBox
  session: Session
}

/** The demo's output once it is ready: every address, and how to read the records. */
export async function demoAddresses(addressing: DemoAddressing): Promise<string> {
  const { config, file, consoleLink, box, session } = addressing
  const style = styleFor(session.out, session.env)
  const account = await box.accounts.find(handle)
  const base = publicBase(config, demoHost)
  const home = `${base}/${account?.settings.home ?? ''}`
  const previewBase = publicBase(config, config.server.previewHost)
  const flag = `--config ${relative(session.cwd, file)}`
  const line = (what: string, address: string, says: string): string =>
    `  ${style('heading', what.padEnd(13))}  ${address}\n  ${' '.repeat(13)}  ${style('dim', says)}\n`

  return `Capture is running with the example account "${handle}". Stop it with Ctrl-C.

${line('Landing page', home, 'A form with a bot check, a question about counting visits, events. Fill it in.')}
${line('Tracked link', await trackedLink(addressing, account, home), 'As in a newsletter: it records the click, then redirects you.')}
${line('Test page', await testPage(addressing, account), `Tries every form and domain from your browser, on ${new URL(previewBase).host} if your browser knows that name.`)}
${line('Console', consoleLink, 'Where an agency reads its leads. The first visit makes you its owner.')}
Everything it writes is in ${config.dataDir} (delete the folder to start the demo afresh).
Read what was captured:

  ./capture export ${handle} submissions ${flag}
  ./capture export ${handle} events ${flag}

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
