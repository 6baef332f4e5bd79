import { KindGuard } from '@sinclair/typebox'
import type { Shape } from './shape.ts'
import type { TomlValue } from './value.ts'

/**
 * Reads text, such as an environment variable, as the value of a key: a list by its commas. What fits neither a number
 * nor a boolean stays a string, so that the fault shows it.
 */
export function fromText(shape: Shape<unknown>, text: string): TomlValue {
  if (KindGuard.IsArray(shape)) {
    const parts = text.split(',').map((part) => part.trim())
    const item = shape.items as Shape<unknown>
    const items = parts.filter((part) => part !== '').map((part) => ({ value: fromText(item, part), line: null }))
    return { kind: 'array', items }
  }
  const trimmed = text.trim()
  if (KindGuard.IsInteger(shape) && /^[+-]?\d+$/.test(trimmed))
    return { kind: 'integer', value: Number(trimmed), text: trimmed }
  if (KindGuard.IsBoolean(shape) && /^(true|false)$/.test(trimmed))
    return { kind: 'boolean', value: trimmed === 'true' }
  return { kind: 'string', value: text }
}
