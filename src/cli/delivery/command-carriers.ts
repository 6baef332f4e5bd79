import type { DestinationKind } from '../../account/destination.ts'
import type { Config } from '../../config/config.ts'
import type { Carrier } from '../../delivery/carrier.ts'
import { carriersOf } from '../../delivery/carriers.ts'
import type { Clock } from '../../lib/clock.ts'
import { systemGuard, systemLookup } from '../../outbound/system-guard.ts'
import { commandSettings } from './delivery-settings.ts'

/** The carriers of a command, which sends as the service does. */
export function commandCarriers(config: Config, clock: Clock): Readonly<Record<DestinationKind, Carrier>> {
  const settings = commandSettings(config)
  const { ca, mailServer } = settings
  const http = { guard: systemGuard(settings), lookup: systemLookup, ca, now: clock.now }
  return carriersOf({ http, mailServer, replies: null, clock })
}
