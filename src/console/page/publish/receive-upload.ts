import { UploadFault } from '../../../operations/upload/upload-fault.ts'
import { receiveFolder } from '../../api/folder/received-folder.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { PageCall } from '../page.ts'

/** Holds what a form has brought, and answers its id; or why it could not. @param account `null`: a new one */
export async function receiveUpload(
  { request, caller }: PageCall,
  account: string | null,
  box: Pick<ConsoleBox, 'uploads' | 'waitingUploads'>,
): Promise<{ id: string } | { fault: string }> {
  const upload = await box.uploads.make()
  try {
    const { dir, secrets } = await receiveFolder(request, { upload, dryRun: false, hasContent: async () => false })
    return {
      id: box.waitingUploads.hold({ userId: caller.userId, account, dir, secrets, remove: () => upload.remove() }),
    }
  } catch (error) {
    upload.remove()
    if (error instanceof UploadFault) return { fault: error.message }
    throw error
  }
}

export const isUpload = ({ headers }: Request): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('multipart/form-data')
