import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { apiErrorCodes } from './api-error.ts'
import type { ApiEndpoint } from './endpoint.ts'
import { oneOf, orNull, text, textOrNull } from './schema.ts'

/** `faults`: of a site folder, as `apply` lists them; `receivers`: those that the caller may not add to it. */
const errorSchema = Type.Object({
  error: Type.Object({
    code: oneOf(apiErrorCodes),
    message: text,
    faults: Type.Optional(
      Type.Array(Type.Object({ file: text, line: orNull(Type.Integer()), key: textOrNull, message: text })),
    ),
    receivers: Type.Optional(Type.Array(Type.Object({ key: text, what: text }))),
  }),
})

/** The OpenAPI 3.1 document of the endpoints, generated from the schemas that check their requests. */
export function openApiDocument(endpoints: readonly ApiEndpoint[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operationOf(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Capture', version, description: 'Everything that the commands do.' },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token, cap_…' } },
      schemas: { Error: plain(errorSchema) },
    },
  }
}

function operationOf(endpoint: ApiEndpoint): object {
  const { method, path, summary, scope, query, body, takes = [], answer } = endpoint
  const ends = { description: 'Refused or failed.', ...contentOf({ $ref: '#/components/schemas/Error' }) }
  return {
    operationId: operationId(endpoint),
    summary,
    'x-scope': scope,
    ...(endpoint.of === 'account' ? { 'x-clients': endpoint.clients ?? 'nothing' } : {}),
    ...(endpoint.of === 'account' && endpoint.ownersOnly ? { 'x-owners-only': true } : {}),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(query),
      ...(endpoint.revision && method !== 'GET' ? [ifMatch] : []),
    ],
    ...(body === undefined ? {} : { requestBody: { required: !isOptional(body), ...contentOf(plain(body)) } }),
    ...(takes.length === 0 ? {} : { requestBody: { required: true, content: contentOfTypes(takes) } }),
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Done.',
        content: { ...contentOf(plain(answer), endpoint.produces).content, ...csvOf(query) },
      },
      default: ends,
    },
  }
}

/** `getAccountsAccountSubmissions`: from method and path, so it is as stable as they are. */
const operationId = ({ method, path }: ApiEndpoint): string =>
  method.toLowerCase() + (path.match(/\w+/g) ?? []).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')

/** The answer to `?format=csv`, if the endpoint has it. */
const csvOf = (query: TSchema | undefined): Media =>
  JSON.stringify(query?.properties.format ?? {}).includes('"csv"')
    ? contentOf({ type: 'string' }, 'text/csv').content
    : {}

/** A call may leave out a body whose members are all optional. */
const isOptional = (body: TSchema): boolean => Value.Check(body, {})

const pathParameters = (path: string): object[] =>
  Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

const queryParameters = (query: TSchema | undefined): object[] =>
  Object.entries<TSchema>(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    // Parameters with a default are optional.
    required: schema.default === undefined && (query?.required?.includes(name) ?? false),
    schema: plain(schema),
  }))

const ifMatch = { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } }

const contentOfTypes = (types: readonly string[]): object => Object.fromEntries(types.map((type) => [type, {}]))

type Media = Record<string, { schema: object }>

const contentOf = (schema: object, type = 'application/json'): { content: Media } => ({
  content: { [type]: { schema } },
})

/** As JSON, without TypeBox's internal symbols. */
const plain = (schema: TSchema): object => JSON.parse(JSON.stringify(schema))
