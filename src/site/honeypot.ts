import type { Decoder } from '../lib/toml/decoder.ts'
import { string } from '../lib/toml/scalars.ts'

/** Keys that a submission gives a meaning of their own (spec, "Form submission request body"). */
export const reservedFields: readonly string[] = ['email', 'botcheck-response', 'consentTextId']

const fallback = '_hp'

/** The hidden field's name, or `false`: off, given as `null`. */
export function honeypot(): Decoder<string | null> {
  const decoder = string({
    pattern: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    expected: 'a field name of [A-Za-z0-9_.-], or false',
  })
  return {
    ...decoder,
    absent: () => ({ value: fallback }),
    decode(value, at) {
      if (value.kind === 'boolean' && !value.value) return { value: null }
      const decoded = decoder.decode(value, at)
      if (decoded === null || !reservedFields.includes(decoded.value)) return decoded
      return at.state(`"${decoded.value}" has a meaning of its own in a submission; take another name`)
    },
  }
}
