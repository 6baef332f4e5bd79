import { userInfo } from 'node:os'
import type { Publisher } from '../../account/publisher.ts'
import type { Session } from '../session.ts'

/** Whoever typed the command: with sudo, that is not the system's user who runs it (sudo(8), SUDO_USER). */
export const typingUser = ({ SUDO_USER }: Session['env']): string => SUDO_USER ?? systemUser()

/** The same, as the one who publishes. */
export const commandPublisher = ({ env }: Pick<Session, 'env'>): Publisher => ({
  via: 'command',
  name: typingUser(env),
})

/** A user of a container may have no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '')
  }
}
