import type { DeclaredSchema, PropertySchema } from './configuration.ts'

/** A field of the form that the page builds, filled in. */
export interface SampleField {
  name: string
  /** What a person would call it. */
  label: string
  kind: 'text' | 'email' | 'number' | 'choice' | 'tick' | 'long'
  required: boolean
  value: string
  /** Only for a choice. */
  choices: string[]
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

function filledIn(name: string, property: PropertySchema): Pick<SampleField, 'kind' | 'value' | 'choices'> {
  const { type, format, enum: choices } = property
  if (property.const !== undefined) return { kind: 'tick', value: String(property.const), choices: [] }
  if (type === 'boolean') return { kind: 'tick', value: 'true', choices: [] }
  if (Array.isArray(choices) && choices.length > 0) {
    return { kind: 'choice', value: String(choices[0]), choices: choices.map(String) }
  }
  if (format === 'email' || name === 'email') return { kind: 'email', value: sampleEmail, choices: [] }
  if (type === 'number' || type === 'integer') return { kind: 'number', value: '1', choices: [] }
  return { kind: longNames.test(name) ? 'long' : 'text', value: sampleText(name, format), choices: [] }
}

function sampleText(name: string, format: string | undefined): string {
  if (format === 'uri' || format === 'url') return 'https://www.example.com/'
  if (format === 'date') return '2026-01-31'
  return longNames.test(name) ? 'Sent by the test page.' : 'Test'
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
