import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { capitalised } from '../../lib/capitalised.ts'
import { oneOf, orNull, text, textOrNull } from '../../lib/schema.ts'
import type { AccountRole } from '../access/caller.ts'
import { rolesFor } from '../access/permission.ts'
import { apiErrorCodes, apiErrorStatuses } from './api-error.ts'
import type { AccountEndpoint, ApiEndpoint } from './endpoint.ts'
import type { EndpointGroup } from './endpoints.ts'
import { idempotencyKeyCharactersMax } from './idempotency.ts'

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
export function openApiDocument(groups: readonly EndpointGroup[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { name, endpoints } of groups) {
    for (const endpoint of endpoints) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = { tags: [name], ...operationOf(endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Capture',
      version,
      description: 'What the commands do with accounts, pages, links, records, deliveries, users and the box.',
      contact: { name: 'The operator of this box' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token, cap_…' } },
      schemas: { Error: plain(errorSchema) },
      parameters: { idempotencyKey },
      responses: Object.fromEntries([...apiErrorStatuses].flatMap(refusalNamed)),
    },
  }
}

function operationOf(endpoint: ApiEndpoint): object {
  const { method, path, summary, scope, query, body, takes = [], answer, answersETag, ifMatch } = endpoint
  return {
    operationId: operationId(endpoint),
    summary,
    description: `${summary}. ${needs(endpoint)}`,
    'x-scope': scope,
    ...(endpoint.of === 'account' ? { 'x-clients': endpoint.clients ?? 'nothing', 'x-roles': rolesIn(endpoint) } : {}),
    ...(endpoint.of === 'account' && endpoint.ownersOnly ? { 'x-owners-only': true } : {}),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(query),
      ...(method === 'POST' ? [{ $ref: '#/components/parameters/idempotencyKey' }] : []),
      ...(ifMatch === undefined ? [] : [{ ...ifMatchHeader, required: ifMatch === 'required' }]),
    ],
    ...(body === undefined ? {} : { requestBody: { required: !isOptional(body), ...contentOf(plain(body)) } }),
    ...(takes.length === 0 ? {} : { requestBody: { required: true, content: contentOfTypes(takes) } }),
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Done.',
        ...(answersETag ? { headers: { ETag: etagHeader } } : {}),
        content: { ...contentOf(plain(answer), endpoint.produces).content, ...csvOf(query) },
      },
      ...Object.fromEntries(refusedWith(endpoint).map((status) => [status, refusalOf(status)])),
      default: refusalOf(500),
    },
  }
}

/** The roles that may call it, beside owners of the box. */
const rolesIn = (endpoint: AccountEndpoint): AccountRole[] => (endpoint.ownersOnly ? [] : rolesFor(endpoint))

/** Who may call it, in a sentence. */
function needs(endpoint: ApiEndpoint): string {
  const { scope, asksAgain } = endpoint
  const isOfBox = endpoint.of === 'box' || endpoint.ownersOnly === true
  const right = scope === 'signed_in' ? 'Needs any token or session' : `Needs the scope \`${scope}\``
  const box = isOfBox && scope !== 'signed_in' ? ', as an owner or with a token of the box' : ''
  const proof = asksAgain ? '; users must have confirmed their identity within the last ten minutes' : ''
  return `${right}${box}${proof}.`
}

/** The statuses of refusals that a call can meet. */
function refusedWith({ method, path, body, takes, ifMatch }: ApiEndpoint): number[] {
  const hasBody = body !== undefined || takes !== undefined
  return [
    ...[401, 403],
    ...(path.includes(':') ? [404] : []),
    ...(method === 'GET' ? [] : [409]),
    ...(ifMatch === undefined ? [] : [412]),
    ...(hasBody ? [413, 415] : []),
    ...[422],
    ...(ifMatch === 'required' ? [428] : []),
    ...[429, 503],
  ]
}

const refusalOf = (status: number) => ({ $ref: `#/components/responses/error${status}` })

/** Answers of no operation: 405 has an address without one, 410 only pages. */
const ofNoOperation = [405, 410]

const refusalNamed = ([status, codes]: [number, readonly string[]]): [string, object][] => {
  const description = `Refused or failed: ${codes.join(', ')}.`
  const content = contentOf({ $ref: '#/components/schemas/Error' })
  return ofNoOperation.includes(status) ? [] : [[`error${status}`, { description, ...content }]]
}

/** `getAccountsAccountSubmissions`: from method and path, so it is as stable as they are. */
const operationId = ({ method, path }: ApiEndpoint): string =>
  method.toLowerCase() + (path.match(/\w+/g) ?? []).map(capitalised).join('')

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

const ifMatchHeader = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of what the call may overwrite; 412 when somebody has changed it since',
  schema: { type: 'string' },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A fresh UUID: for a day the same call with the same key is carried out once, and its answer is repeated',
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyCharactersMax },
}

const etagHeader = { description: 'The revision of what was read, for If-Match', schema: { type: 'string' } }

const contentOfTypes = (types: readonly string[]): object => Object.fromEntries(types.map((type) => [type, {}]))

type Media = Record<string, { schema: object }>

const contentOf = (schema: object, type = 'application/json'): { content: Media } => ({
  content: { [type]: { schema } },
})

/** As JSON, without TypeBox's internal symbols. */
const plain = (schema: TSchema): object => JSON.parse(JSON.stringify(schema))
