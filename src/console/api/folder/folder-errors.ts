import { receiverJson } from '../../../operations/apply/apply-act.ts'
import { receiversIn, siteFaultsOf } from '../../../operations/upload/apply-upload.ts'
import { UploadFault, type UploadFaultReason } from '../../../operations/upload/upload-folder.ts'
import { ApiError, type ApiErrorCode } from '../api-error.ts'

const codes: Record<UploadFaultReason, ApiErrorCode> = {
  unfit: 'invalid',
  too_large: 'too_large',
  no_room: 'unavailable',
}

/** Answers with the faults of a folder one by one, in the words of the command; with the receivers that the caller may not add. */
export async function tellingFaults<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UploadFault) throw new ApiError(codes[error.reason], error.message)
    const receivers = receiversIn(error)
    if (receivers !== null)
      throw new ApiError('forbidden', (error as Error).message, {}, { receivers: receivers.map(receiverJson) })
    const faults = siteFaultsOf(error)
    if (faults === null) throw error
    const message = `The folder cannot be published, and nothing was changed; faults: ${faults.length}.`
    throw new ApiError('invalid', message, {}, { faults })
  }
}
