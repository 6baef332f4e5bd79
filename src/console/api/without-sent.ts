import type { ApiCall } from './endpoint.ts'

/** Shorter values are words that a message may hold anyway. */
const charactersMin = 3

/** A message without what the caller had sent: it may be a secret in the wrong place, and ends up in their logs. */
export function withoutSent(
  message: string,
  { params, query, body }: Pick<ApiCall, 'params' | 'query' | 'body'>,
): string {
  const values = [...texts(params), ...texts(query), ...texts(body)].filter(({ length }) => length >= charactersMin)
  // The longest first: one may be part of another.
  return values
    .sort((one, other) => other.length - one.length)
    .reduce((text, value) => text.replaceAll(value, '…'), message)
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
