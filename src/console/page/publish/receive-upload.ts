import { callerKey } from '../../access/caller.ts'
import { receiveFolder } from '../../api/folder/received-folder.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { PageCall } from '../page.ts'

/** Stores the upload of a form. @returns its id @param account `null`: a new account @throws UploadFault */
export async function receiveUpload(
  { request, caller }: PageCall,
  account: string | null,
  box: Pick<ConsoleBox, 'uploads' | 'waitingUploads'>,
): Promise<string> {
  const upload = await box.uploads.make(callerKey(caller))
  try {
    const { dir, secrets } = await receiveFolder(request, { upload, dryRun: false, hasContent: async () => false })
    const waiting = { userId: caller.userId, account, dir, secrets, remove: () => upload.remove() }
    return box.waitingUploads.hold(waiting)
  } catch (error) {
    upload.remove()
    throw error
  }
}
