import type { LiveForm } from '../../account/live-account.ts'
import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import { Refusal } from '../refusal.ts'
import type { SiteRequest } from '../site-request.ts'
import type { Claim, WaitingFiles } from './waiting-files.ts'

/** The files that a submission names in its fields. */
interface NamedFiles {
  /** `null`: it names none, or what it names cannot be had. */
  claim: Claim | null
  /** Why what it names cannot be had; `null`: it can. */
  fault: Refusal | null
  /** What is stored in place of the tokens: the names of the files. */
  shown: JsonObject
}

export const noFiles: NamedFiles = { claim: null, fault: null, shown: {} }

/** Form check 9: every token in a field for files is of a file that was sent for this form and that no other submission has. */
export async function namedFiles(
  form: LiveForm,
  sent: JsonObject,
  { account, files }: Pick<SiteRequest, 'account'> & { files: WaitingFiles },
): Promise<NamedFiles> {
  if (!form.takesFiles) return noFiles
  const tokens = Object.entries(form.files).flatMap(([field, { count }]) =>
    (Object.hasOwn(sent, field) ? listed(sent[field]) : []).map((token, index) => ({
      field,
      token,
      isOver: index >= count,
    })),
  )
  if (tokens.length === 0) return noFiles
  const over = tokens.find(({ isOver }) => isOver)
  if (over !== undefined) return faulty(`"${over.field}" takes fewer files than these.`)
  const named = tokens.flatMap(({ field, token }) => (typeof token === 'string' ? [{ field, token }] : []))
  await files.bring(named.map(({ token }) => token))
  const claim = named.length < tokens.length ? null : files.claim(named, { accountId: account.id, formId: form.id })
  if (claim === null) return faulty()
  const shown = Object.fromEntries(
    [...new Set(named.map(({ field }) => field))].map((field) => {
      const names = claim.files.filter((file) => file.field === field).map(({ name }) => name)
      return [field, Array.isArray(sent[field]) ? names : (names[0] ?? '')]
    }),
  )
  return { claim, fault: null, shown }
}

const faulty = (message?: string): NamedFiles => ({
  ...noFiles,
  fault: new Refusal('file', message === undefined ? {} : { message }),
})

/** A field that the visitor left empty names nothing. */
const listed = (value: JsonValue | undefined): JsonValue[] =>
  [value ?? null].flat().filter((item) => item !== null && item !== '')
