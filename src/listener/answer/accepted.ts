import type { ContentEncoding } from '../../asset/asset.ts'

/** Limits the cached header values. Browsers send only a handful. */
const rememberedMax = 500
const headerCharactersMax = 500

/** The stored encodings that a client accepts, best first (RFC 9110 section 12.5.3). */
export class AcceptedEncodings {
  private readonly remembered = new Map<string, readonly ContentEncoding[]>()

  of(header: string | null): readonly ContentEncoding[] {
    if (header === null || header.length > headerCharactersMax) return []
    const known = this.remembered.get(header)
    if (known !== undefined) return known
    const accepted = acceptedEncodings(header)
    if (this.remembered.size < rememberedMax) this.remembered.set(header, accepted)
    return accepted
  }
}

function acceptedEncodings(header: string): readonly ContentEncoding[] {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const taken = (encoding: ContentEncoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).filter(taken)
}
