import type { Config } from '../../config/config.ts'
import { consoleLinkBase, publicBase } from '../../config/own-hosts.ts'
import type { DeliverySettings } from '../../delivery/deliverer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Box } from '../../operations/box.ts'
import { mailServerOf } from '../../operations/delivery/mail-server-of.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'

/** What operations deliver with, as the service does. Loaded when it is asked for. */
export const deliveryPorts = (config: Config, clock: Clock): Pick<Box, 'carriers' | 'judgeUrl'> => ({
  async carriers() {
    const { carriersOf } = await import('../../delivery/carriers.ts')
    const { systemGuard, systemLookup } = await import('../../outbound/guard.ts')
    const settings = commandSettings(config)
    const { ca, mailServer } = settings
    const http = { guard: systemGuard(settings), lookup: systemLookup, ca, now: clock.now }
    return carriersOf({ http, mailServer, replies: null, fileUrl: null, clock })
  },
  async judgeUrl(url) {
    // Without the carriers, which take longer to load than most commands run.
    const { judgeDeliveryUrl } = await import('../../outbound/guard.ts')
    const { systemGuard, systemLookup } = await import('../../outbound/guard.ts')
    return judgeDeliveryUrl(url, systemGuard(commandSettings(config)), systemLookup)
  },
})

/** What deliveries are made with. @param ownPorts on which the box itself listens */
export function deliverySettings(config: Config, ownPorts: readonly number[]): DeliverySettings {
  const { dataDir, delivery, mail } = config
  return {
    databaseFile: databaseFile(dataDir),
    allowPrivate: delivery.allowPrivate,
    ca: delivery.ca,
    mailServer: mailServerOf(mail),
    baseTemplate: publicBase(config, '{host}'),
    consoleBase: consoleLinkBase(config),
    ownPorts,
  }
}

/** What a command delivers with. */
const commandSettings = (config: Config): DeliverySettings => deliverySettings(config, configuredPorts(config))

/** The ports that the configuration names; 0 stands for a free one, which only a running service knows. */
const configuredPorts = ({ server, https, operator }: Config): number[] =>
  [server.listen, operator.listen, ...(https.mode === 'off' ? [] : [https.listen, https.httpListen])]
    .flatMap((address) => address?.port ?? [])
    .filter((port) => port !== 0)
