import { Type } from '@sinclair/typebox'
import { parsed, type Shape, shape, withDefault } from '../lib/toml/shape.ts'

/** Keys with a special meaning in a submission (spec, "Form submission request body"). */
export const reservedFields: readonly string[] = ['email', 'botcheck-response', 'consentTextId']

const written = shape<string | false>(
  Type.Union([Type.Literal(false), Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$' })]),
  { expected: 'a field name of [A-Za-z0-9_.-], or false' },
)

/** The hidden field's name; `false` in the file turns it off and becomes `null`. */
export const honeypot = (): Shape<string | null> =>
  withDefault(
    parsed(written, (name) => {
      if (name === false) return { value: null }
      if (!reservedFields.includes(name)) return { value: name }
      return { fault: `"${name}" has a special meaning in a submission; choose another name` }
    }),
    '_hp',
  )
