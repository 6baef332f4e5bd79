/**
 * A fault that the operator can mend: a wrong config, command or folder. The message is one that says what to do
 * next; it is printed as it is, without a stack trace, and the command exits with `exitStatus`.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'

  constructor(
    message: string,
    /** 1: it failed. 2: wrong usage. */
    readonly exitStatus: 1 | 2 = 1,
  ) {
    super(message)
  }
}

/** What the operator named is not there. A program that asked is told so, and nothing more. */
export class NotThere extends OperatorError {}

/** What the caller wanted to change is no longer as they had read it. */
export class ChangedMeanwhile extends OperatorError {}
