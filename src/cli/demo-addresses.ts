import { relative } from 'node:path'
import { signClickToken } from '../capture/click-token.ts'
import type { Config } from '../config/config.ts'
import { publicBase } from '../config/public-url.ts'
import type { Box } from './open.ts'
import type { Session } from './session.ts'

const handle = 'demo'
const host = '127.0.0.1'

export interface DemoAddressing {
  config: Config
  /** The demo's capture.toml. */
  file: string
  box: Box
  session: Session
}

/** What the demo prints once it answers: every address, and how to read what was captured. */
export async function demoAddresses({ config, file, box, session }: DemoAddressing): Promise<string> {
  const base = publicBase(config, host)
  const account = await box.accounts.find(handle)
  const home = account?.settings.home ?? ''
  const token =
    account &&
    signClickToken(
      {
        destination: `${base}/${home}?utm_source=newsletter&utm_medium=email&utm_campaign=demo`,
        message: 'demo-newsletter',
        recipient: null,
        sentAt: session.clock.now(),
      },
      account.id,
      (await box.signingKeys.read()).current('click'),
    )
  return `Capture is running with the example account "${handle}". Stop it with Ctrl-C.

  Landing page   ${base}/${home}
  Tracked link   ${base}/_svc/c/${token}

Everything it writes is in ${config.dataDir} (delete the folder, and the demo starts anew).
Read what was captured:

  ./capture export ${handle} submissions --config ${relative(session.cwd, file)}
  ./capture export ${handle} events --config ${relative(session.cwd, file)}

Captured from now on:
`
}
