import type { Publisher } from '../../account/publisher.ts'
import { userName } from '../../lib/user-name.ts'
import type { Session } from '../session.ts'

/** Whoever typed the command: with sudo, that is not the system's user who runs it (sudo(8), SUDO_USER). */
export const typingUser = ({ SUDO_USER }: Session['env']): string => SUDO_USER ?? systemUser()

/** The same, as the one who publishes. */
export const commandPublisher = ({ env }: Pick<Session, 'env'>): Publisher => ({
  via: 'command',
  name: typingUser(env),
})

/** A user of a container may have no name. Bun knows no name without the variable USER, which jobs of cron(8) lack. */
function systemUser(): string {
  const uid = process.getuid?.() ?? 0
  return userName(uid) ?? String(uid)
}
