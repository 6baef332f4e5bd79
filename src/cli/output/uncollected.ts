import { printable } from './printable.ts'
import type { MessageStream } from './streams.ts'

/** What was published or removed stays so; only the room that it took is not free yet. `null`: all of it is. */
export function warnOfUncollected(reason: string | null, err: MessageStream): void {
  if (reason === null) return
  err.write(
    `Warning: files that nothing uses any more could not be removed from the data folder (${printable(reason)}). They take room and do no harm; the next \`capture apply\` that changes something tries again.\n`,
  )
}
