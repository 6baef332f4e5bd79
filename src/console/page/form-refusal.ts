import { html, type Markup } from '../../lib/html.ts'
import { NotAllowed, OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import { siteFaultsOf } from '../../operations/upload/apply-upload.ts'
import { UploadFault } from '../../operations/upload/upload-folder.ts'
import { doneNote } from '../look/notice.ts'

/** The page refuses what was sent; the message tells the sender why. */
export class FormRefusal extends OperatorError {
  constructor(
    message: string,
    /** 403: it does not prove the user's identity. 410: its object is gone. 422: it is invalid. */
    readonly status: 403 | 410 | 422 = 422,
  ) {
    super(message)
  }
}

const uploadStatuses: Record<UploadFault['reason'], number> = { unfit: 422, too_large: 413, no_room: 503 }

/** The status of a page that says why an act was refused: the same as the API's. */
export function refusalStatus(why: OperatorError): number {
  if (why instanceof FormRefusal) return why.status
  if (why instanceof UnfitInput) return 422
  if (why instanceof NotAllowed) return 403
  if (why instanceof UploadFault) return uploadStatuses[why.reason]
  return siteFaultsOf(why) === null ? 409 : 422
}

/** Above a form that has waited for its sender's proof. */
export const sendAgain = doneNote(
  'You have confirmed who you are. Nothing was done yet: look at what you typed, and send it again.',
)

/** A choice of a `select`. @param chosen the value that is chosen already */
export const option = (value: string, chosen: string | undefined, text = value): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`
