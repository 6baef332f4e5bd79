import type { ExitStatus } from './command.ts'
import { printable } from './output/printable.ts'
import type { Session } from './session.ts'

/** Names the records that cannot be read on stderr as they are met: what is printed is then not all there is. */
export class UnreadableRecords {
  private isAny = false

  constructor(private readonly err: Session['err']) {}

  readonly onUnreadable = (id: string): void => {
    this.isAny = true
    this.err.write(printable(`The record ${id} cannot be read and is left out; run capture doctor.`) + '\n')
  }

  /** Of a command that has printed the others. */
  exitStatus(): ExitStatus {
    return this.isAny ? 1 : 0
  }
}
