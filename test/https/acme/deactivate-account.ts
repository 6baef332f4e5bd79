import { readAccountKey } from '../../../src/https/acme/account-key.ts'
import { AcmeConnection, defaultLimits, timedPause } from '../../../src/https/acme/acme-connection.ts'
import { Transport } from '../../../src/https/acme/transport.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { Pebble } from '../../harness/pebble.ts'

/** What an operator may do with another client (RFC 8555 section 7.3.6). */
export async function deactivateAccount(ca: Pebble, key: string, url: string): Promise<void> {
  const transport = new Transport({ trusted: ca.ca, userAgent: 'capture/test', requestMsMax: 30_000 })
  const { directoryUrl } = ca
  const parts = { directoryUrl, transport, clock: systemClock, pause: timedPause, limits: defaultLimits }
  const signer = { key: readAccountKey(key), kid: url }
  await new AcmeConnection(parts).post(url, { status: 'deactivated' }, signer, new AbortController().signal)
}
