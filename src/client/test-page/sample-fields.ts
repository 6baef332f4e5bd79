export interface DeclaredSchema {
  required?: string[]
  properties?: Record<string, PropertySchema>
}

export interface PropertySchema {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
}

/** A field of the form that the page builds, filled in. */
export interface SampleField extends Filled {
  name: string
  /** What a person would call it. */
  label: string
  required: boolean
}

interface Filled {
  kind: 'text' | 'email' | 'number' | 'choice' | 'tick' | 'long'
  value: string
  choices?: string[]
}

const fieldsMax = 40
export const sampleEmail = 'visitor@example.com'
const longNames = /message|comment|note|text/i

/** The fields that a form declares, each with a valid value; a form without any gets an email. */
export function sampleFields({ properties = {}, required = [] }: DeclaredSchema = {}): SampleField[] {
  const declared = new Map(Object.entries(properties))
  for (const name of required) if (!declared.has(name)) declared.set(name, {})
  if (declared.size === 0) declared.set('email', { format: 'email' })
  return [...declared].slice(0, fieldsMax).map(([name, property]) => ({
    ...filledIn(name, property),
    name,
    label: labelOf(name),
    required: required.includes(name),
  }))
}

function filledIn(name: string, { type, format, enum: choices, const: only }: PropertySchema): Filled {
  if (only !== undefined) return { kind: 'tick', value: String(only) }
  if (type === 'boolean') return { kind: 'tick', value: 'true' }
  if (choices?.length) return { kind: 'choice', value: String(choices[0]), choices: choices.map(String) }
  if (format === 'email' || name === 'email') return { kind: 'email', value: sampleEmail }
  if (type === 'number' || type === 'integer') return { kind: 'number', value: '1' }
  const isLong = longNames.test(name)
  return { kind: isLong ? 'long' : 'text', value: texts[format ?? ''] ?? (isLong ? 'Sent by the test page.' : 'Test') }
}

const texts: Record<string, string> = {
  uri: 'https://www.example.com/',
  url: 'https://www.example.com/',
  date: '2026-01-31',
}

/** `first_ink` → `First ink`. */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1) || name
}
