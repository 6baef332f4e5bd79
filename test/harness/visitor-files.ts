import { formRequest, type Overrides } from './capture-requests.ts'
import { type Answer, jsonOf, type Sent } from './http.ts'
import { zipOf } from './zips.ts'

/** A whole PDF of one line, in ASCII. */
export const pdf = (text = 'Hello'): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`%PDF-1.4\n% ${text}\n%%EOF\n`)

export const docx = (): Uint8Array<ArrayBuffer> =>
  zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w:document/>' })

interface UploadOverrides extends Overrides {
  form?: string
  field?: string
  name?: string
  check?: string
}

/** A valid file for the field `cv` of `contact1`, from the account's own website. */
export function uploadRequest(bytes: Sent['body'] = pdf(), overrides: UploadOverrides = {}): Sent {
  const { form = 'contact1', field = 'cv', name = 'cv.pdf', check, headers, ...others } = overrides
  return formRequest({
    path: `/_svc/u/${form}?field=${encodeURIComponent(field)}`,
    body: bytes,
    headers: {
      'content-type': 'application/octet-stream',
      'x-svc-file-name': encodeURIComponent(name),
      ...(check !== undefined && { 'x-svc-bot-check': check }),
      ...headers,
    },
    ...others,
  })
}

/** The token of an accepted file; fails with the answer when it was not accepted. */
export function tokenOf(answer: Answer): string {
  const { file } = jsonOf(answer)
  if (answer.status === 200 && typeof file === 'string') return file
  throw new Error(`the file was not accepted: ${answer.status} ${answer.text}`)
}
