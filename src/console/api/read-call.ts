import { KindGuard, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ApiError } from './api-error.ts'

/** The limit of JSON bodies. Endpoints that take files read their own bodies with their own limits. */
export const jsonBytesMax = 262_144

/**
 * The query in the types of its schema: decimal numbers, `true` and `false` are converted, defaults are filled in.
 *
 * @throws ApiError `invalid` for a parameter that is unknown, repeated or unfit
 */
export function readQuery(search: URLSearchParams, schema: TSchema): unknown {
  const written: Record<string, unknown> = {}
  for (const [name, value] of search) {
    if (Object.hasOwn(written, name))
      throw new ApiError('invalid', `The parameter "${known(name, schema)}" is given twice.`)
    if (!Object.hasOwn(schema.properties, name)) throw new ApiError('invalid', unknownParameter(schema))
    written[name] = asTyped(value, schema.properties[name])
  }
  return fitting(Value.Default(schema, written), schema, 'query')
}

/** Converts only what is written in that type: TypeBox's own conversion turns `true` into 1, and 1 into `true`. */
function asTyped(text: string, { type }: TSchema): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}

/** A missing body counts as an empty object. @throws ApiError `wrong_type`, `too_large` or `invalid` */
export async function readJsonBody(request: Request, schema: TSchema): Promise<{ value: unknown; bytes: Uint8Array }> {
  const type = mediaType(request)
  if (type === '') {
    const bytes = await bodyWithin(request, jsonBytesMax)
    if (bytes.byteLength === 0 && Value.Check(schema, {})) return { value: {}, bytes }
  }
  if (type !== 'application/json') {
    throw new ApiError('wrong_type', 'Send JSON, with Content-Type: application/json.')
  }
  const bytes = await bodyWithin(request, jsonBytesMax)
  return { value: fitting(parsed(bytes), schema, 'body'), bytes }
}

/** @throws ApiError `wrong_type`, `too_large` or `invalid` */
export async function readTextBody(
  request: Request,
  { types, bytesMax }: { types: readonly string[]; bytesMax: number },
): Promise<string> {
  if (!types.includes(mediaType(request))) {
    throw new ApiError('wrong_type', `Send text, with one of these as Content-Type: ${types.join(', ')}.`)
  }
  const bytes = await bodyWithin(request, bytesMax)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ApiError('invalid', 'The body is not text in UTF-8.')
  }
}

const mediaType = ({ headers }: Request): string =>
  (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Reads up to the limit, and refuses as soon as there is more. @throws ApiError `too_large` */
export async function bodyWithin(request: Request, bytesMax: number): Promise<Uint8Array> {
  const tooLarge = () => new ApiError('too_large', `The body can have at most ${bytesMax} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('invalid', 'The body is not JSON in UTF-8.')
  }
}

function fitting(value: unknown, schema: TSchema, where: 'query' | 'body'): unknown {
  if (Value.Check(schema, value)) return value
  throw new ApiError('invalid', `The ${where} is invalid${schemaFault(schema, value)}.`)
}

const known = (name: string, { properties }: TSchema): string => (Object.hasOwn(properties, name) ? name : '…')

function unknownParameter({ properties }: TSchema): string {
  const names = Object.keys(properties)
  return names.length === 0
    ? 'This address takes no parameters.'
    : `The query has a parameter that this address does not take. It takes: ${names.join(', ')}.`
}

/** Where the value does not fit its schema, and what is expected there: ` at "/role": Expected "admin" or "viewer"`. Never the value. */
export function schemaFault(schema: TSchema, value: unknown): string {
  const fault = Value.Errors(schema, value).First()
  if (fault === undefined) return ''
  const expected = KindGuard.IsUnion(fault.schema) ? `Expected ${expectedBy(fault.schema)}` : fault.message
  return `${fault.path === '' ? '' : ` at "${fault.path}"`}: ${expected}`
}

function expectedBy(schema: TSchema): string {
  if (KindGuard.IsUnion(schema)) return schema.anyOf.map(expectedBy).join(' or ')
  if (KindGuard.IsLiteral(schema)) return JSON.stringify(schema.const)
  if (KindGuard.IsObject(schema)) return `{ ${Object.entries(schema.properties).map(member).join(', ')} }`
  return KindGuard.IsNull(schema)
    ? 'null'
    : `${/^[aeiou]/.test(schema.type ?? '') ? 'an' : 'a'} ${schema.type ?? 'value'}`
}

function member([name, schema]: [string, TSchema]): string {
  const shown = KindGuard.IsLiteral(schema) ? `${name}: ${expectedBy(schema)}` : name
  return KindGuard.IsOptional(schema) ? `${shown} (optional)` : shown
}
