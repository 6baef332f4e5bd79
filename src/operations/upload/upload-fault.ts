import { OperatorError } from '../../lib/operator-error.ts'

/** `unfit`: the sender has to send something else; `too_large`; `no_room`: the box's disk is full. */
export type UploadFaultReason = 'unfit' | 'too_large' | 'no_room'

/** What was sent cannot become a site folder. Nothing of it is left. */
export class UploadFault extends OperatorError {
  constructor(
    readonly reason: UploadFaultReason,
    message: string,
  ) {
    super(message)
  }
}
