import { controlsOf, type Draft, type LastChanges } from '../page-forms.ts'
import type { Answer } from '../requests.ts'

type Fields = Record<string, string | string[]>

/**
 * What the visitor entered; repeated names become arrays, and files stay behind (docs/script.md). What they
 * have changed since the form was sent is read anew. Without a prototype, so that a field named `__proto__` is a field
 * like any other.
 */
export function fieldsOf(draft: Draft, lastChanges: LastChanges): Fields {
  const { form, data, submitter } = draft
  const names = changedSince(draft, lastChanges)
  const entries = [...data].filter(([name]) => !names.has(name))
  if (names.size) entries.push(...[...new FormData(form)].filter(([name]) => names.has(name)))
  // Not every browser adds the button by itself.
  const { name, type, value } = (submitter ?? {}) as HTMLButtonElement
  if (name && type === 'submit') entries.push([name, value])

  const fields: Fields = Object.create(null)
  for (const [name, value] of entries) {
    if (typeof value === 'string') fields[name] = name in fields ? [fields[name] ?? '', value].flat() : value
  }
  return fields
}

/** Names of the fields that the visitor has changed after they sent the form. */
export const changedSince = ({ form, change }: Draft, lastChanges: LastChanges): Set<string> =>
  new Set([...controlsOf(form)].filter((control) => (lastChanges.get(control) ?? 0) > change).map(({ name }) => name))

/** Fields that no `readOnly` protects. */
const lockedByDisabling = /^(select|check|ra|color|file)/

/**
 * Keeps a form as it is while it is being sent. A field that has the focus is never disabled, since it would lose the
 * focus. Returns how to undo it.
 */
export function lock(form: HTMLFormElement): () => void {
  const undo: (() => void)[] = []
  for (const control of controlsOf(form)) {
    const property = lockedByDisabling.test(control.type) ? 'disabled' : 'readOnly'
    if (control[property] !== false || (property === 'disabled' && control.matches(':focus'))) continue
    control[property] = true
    undo.push(() => {
      control[property] = false
    })
  }
  return () => {
    for (const unlock of undo) unlock()
  }
}

/** Names of the fields in which the visitor has chosen a file. */
export const filesIn = ({ data }: Draft): string[] =>
  [...data].filter(([, value]) => typeof value !== 'string' && value.name).map(([name]) => name)

/** A fault that the script finds before it asks the box, in the form of the box's answer. */
export const fault = (code: string, message: string, more?: object): Answer => [
  0,
  { error: { code, message, ...more } },
  0,
]

/**
 * A form's fields; throws if they are more than may be sent. Says how much of its longest field fits, exactly if it is in one
 * script.
 */
export function fitting(fields: Fields, bytesMax: number): Fields {
  const excess = bytesIn(fields) - bytesMax
  if (excess <= 0) return fields
  const [longest = ''] = Object.values(fields)
    .flat()
    .sort((a, b) => b.length - a.length)
  const { length } = longest
  const max = Math.max(0, Math.floor(length * (1 - excess / bytesIn(longest))))
  throw fault('too_long', `larger than ${bytesMax} bytes`, { length, max })
}

/** Bytes of a value as JSON. */
const bytesIn = (value: unknown): number => new Blob([JSON.stringify(value)]).size
