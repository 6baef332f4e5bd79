import { OperatorError } from '../../lib/operator-error.ts'
import { siteFaultsOf } from '../../operations/upload/apply-upload.ts'
import { UploadFault } from '../../operations/upload/upload-fault.ts'

/** What was sent is refused by the page itself, in a sentence for whoever sent it. */
export class FormRefusal extends OperatorError {
  constructor(
    message: string,
    /** 403: it proves nobody. 410: what it is about is gone. 422: it does not fit. */
    readonly status: 403 | 410 | 422 = 422,
  ) {
    super(message)
  }
}

const uploadStatuses: Record<UploadFault['reason'], number> = { unfit: 422, too_large: 413, no_room: 503 }

/** The status of a page that says why an act was refused, as the API answers it. */
export function refusalStatus(why: OperatorError): number {
  if (why instanceof FormRefusal) return why.status
  if (why instanceof UploadFault) return uploadStatuses[why.reason]
  return siteFaultsOf(why) === null ? 409 : 422
}
