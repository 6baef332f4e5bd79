import { bodyWithin } from '../api/read-call.ts'

export const formBytesMax = 262_144

/** The fields of a form that the console's own page sent, urlencoded; of a repeated field the first. @throws ApiError `too_large` */
export async function formFields(request: Request, bytesMax = formBytesMax): Promise<Map<string, string>> {
  const bytes = await bodyWithin(request, bytesMax)
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(bytes)))
    if (!fields.has(name)) fields.set(name, value)
  return fields
}
