import type { Config } from '../../config/config.ts'
import { publicBase } from '../../config/own-hosts.ts'
import type { DeliverySettings } from '../../delivery/deliverer.ts'
import { mailServerOf } from '../../operations/delivery/mail-server-of.ts'
import { databaseFile } from '../../storage/filesystem/data-folder.ts'

/** What deliveries are made with. @param ownPorts on which the box itself listens */
export function deliverySettings(config: Config, ownPorts: readonly number[]): DeliverySettings {
  const { dataDir, delivery, mail } = config
  return {
    databaseFile: databaseFile(dataDir),
    allowPrivate: delivery.allowPrivate,
    ca: delivery.ca,
    mailServer: mailServerOf(mail),
    baseTemplate: publicBase(config, '{host}'),
    ownPorts,
  }
}

/** What a command delivers with. */
export const commandSettings = (config: Config): DeliverySettings => deliverySettings(config, configuredPorts(config))

/** The ports that the configuration names; 0 stands for a free one, which only a running service knows. */
const configuredPorts = ({ server, https, operator }: Config): number[] =>
  [server.listen, operator.listen, ...(https.mode === 'off' ? [] : [https.listen, https.httpListen])]
    .flatMap((address) => address?.port ?? [])
    .filter((port) => port !== 0)
