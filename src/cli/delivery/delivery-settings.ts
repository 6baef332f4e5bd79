import type { Config, MailConfig } from '../../config/config.ts'
import { publicBase } from '../../config/public-url.ts'
import type { MailServer } from '../../delivery/mail/mail-server.ts'
import type { DeliverySettings } from '../../delivery/thread-messages.ts'
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

function mailServerOf({ host, port, security, user, password, from, ca }: MailConfig): MailServer | null {
  if (host === null || from === null) return null
  const login = user === null || password === null ? null : { user, password }
  return { host, port, security, login, from, ca }
}

/** What a command delivers with. */
export const commandSettings = (config: Config): DeliverySettings => deliverySettings(config, configuredPorts(config))

/** The ports that the configuration names; 0 stands for a free one, which only a running service knows. */
const configuredPorts = ({ server, https, operator }: Config): number[] =>
  [server.listen, operator.listen, ...(https.mode === 'off' ? [] : [https.listen, https.httpListen])]
    .flatMap((address) => address?.port ?? [])
    .filter((port) => port !== 0)
