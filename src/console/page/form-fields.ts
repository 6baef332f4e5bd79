import { bodyWithin } from '../api/read-call.ts'

export const formBytesMax = 262_144

/** The fields of an urlencoded form from the console's own page; the first value of a repeated field. @throws ApiError `too_large` */
export async function formFields(request: Request, bytesMax = formBytesMax): Promise<Map<string, string>> {
  const bytes = await bodyWithin(request, bytesMax)
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(bytes)))
    if (!fields.has(name)) fields.set(name, value)
  return fields
}
