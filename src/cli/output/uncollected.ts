import { printable } from './printable.ts'
import type { MessageStream } from './streams.ts'

/** A warning that disk space is not freed yet, although the change is final. `null`: it is freed. */
export function warnOfUncollected(reason: string | null, err: MessageStream): void {
  if (reason === null) return
  err.write(
    `Warning: unused files could not be removed from the data folder (${printable(reason)}). They only take up space; the next \`capture apply\` with changes tries again.\n`,
  )
}
