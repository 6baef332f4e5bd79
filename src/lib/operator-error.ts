/**
 * A fault that the operator can fix: a wrong configuration, command or folder. The message says what to do next; it is
 * printed without a stack trace, and the command exits with `exitStatus`.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'

  constructor(
    message: string,
    /** 1: it failed. 2: wrong usage. 3: it needs consent. */
    readonly exitStatus: 1 | 2 | 3 = 1,
  ) {
    super(message)
  }
}

/** What the operator named does not exist. A calling program is told only that. */
export class NotThere extends OperatorError {}

/** The caller lacks a right that the content of the call needs. The message says who has it. */
export class NotAllowed extends OperatorError {}

/** What the operator sent is not what is taken. The message names the member, never what was sent. */
export class UnfitInput extends OperatorError {
  constructor(message: string) {
    super(message, 2)
  }
}

/** What the caller wanted to change has changed since they read it. */
export class ChangedMeanwhile extends OperatorError {
  constructor(
    message: string,
    /** Of now. */
    readonly revision: string,
  ) {
    super(message)
  }
}

/** Somebody else is at it. The message names nobody, since customers' own users and tokens read it. */
export class AtWork extends OperatorError {
  constructor(
    message: string,
    /** What a command on the box says in its place. */
    readonly messageOnBox: string,
  ) {
    super(message)
  }
}
