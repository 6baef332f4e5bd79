import { fileHeaders } from '../account/visitor-file.ts'
import { NotThere } from '../lib/operator-error.ts'
import { submissionFile } from '../operations/submission/submission-file.ts'
import type { ConsoleBox } from './console-box.ts'

interface FileAsked {
  /** Its handle. */
  account: string
  params: Readonly<Record<string, string>>
  view: 'whole' | 'masked'
}

/** A visitor's file as a download. Whoever sees the lead masked gets the answer for a file that does not exist. */
export async function fileAnswer(box: ConsoleBox, { account, params, view }: FileAsked): Promise<Response> {
  const { submission = '', file: named = '' } = params
  if (view === 'masked') throw new NotThere(`The submission ${submission} has no file "${named}".`)
  const { file, bytes } = await submissionFile(box, { account, submission, file: named })
  return new Response(bytes, { headers: fileHeaders(file) })
}
