import { receiveFolder } from '../../api/folder/received-folder.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { PageCall } from '../page.ts'

/** Holds what a form has brought, and answers its id. @param account `null`: a new one @throws UploadFault */
export async function receiveUpload(
  { request, caller }: PageCall,
  account: string | null,
  box: Pick<ConsoleBox, 'uploads' | 'waitingUploads'>,
): Promise<string> {
  const upload = await box.uploads.make()
  try {
    const { dir, secrets } = await receiveFolder(request, { upload, dryRun: false, hasContent: async () => false })
    const waiting = { userId: caller.userId, account, dir, secrets, remove: () => upload.remove() }
    return box.waitingUploads.hold(waiting)
  } catch (error) {
    upload.remove()
    throw error
  }
}
