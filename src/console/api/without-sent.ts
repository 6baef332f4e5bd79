import type { ApiCall } from './endpoint.ts'

/** Shorter values are words that a message may contain anyway. */
const charactersMin = 3

/** A message without the values that the caller sent: one may be a secret in the wrong place, and would end up in their logs. */
export function withoutSent(
  message: string,
  { params, query, body }: Pick<ApiCall, 'params' | 'query' | 'body'>,
): string {
  const values = [...texts(params), ...texts(query), ...texts(body)].filter(({ length }) => length >= charactersMin)
  // Longest first: one value may be part of another.
  return values
    .sort((one, other) => other.length - one.length)
    .reduce((text, value) => text.replaceAll(value, '…'), message)
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
