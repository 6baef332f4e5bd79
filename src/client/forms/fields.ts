import type { FormConfiguration } from '../config.ts'
import type { Site } from '../site.ts'

export type Fields = Record<string, string | string[]>

/**
 * What the visitor entered; repeated names become arrays (contract section 7, Forms). Without a prototype, so that a
 * field named `__proto__` is a field like any other.
 */
export function fieldsOf(site: Site, data: FormData, submitter?: HTMLElement | null): Fields {
  const fields: Fields = Object.create(null)
  // Not every browser adds the button by itself.
  const { name, type, value } = (submitter ?? {}) as HTMLButtonElement
  if (name && type === 'submit') data.append(name, value)
  for (const [name, value] of data) {
    if (typeof value === 'string') fields[name] = name in fields ? [fields[name] ?? '', value].flat() : value
    else if (value.name) site.say('Files are not sent: ' + name)
  }
  return fields
}

/** The formats that a browser can check. */
const inputTypes: Record<string, string | undefined> = { email: 'email', uri: 'url' }

/** Gives a form what its declaration asks for, as often as it is asked: constraints for the browser's own validation, and the honeypot. */
export function applyDeclaration(form: HTMLFormElement, { honeypotFieldName, schema }: FormConfiguration): void {
  // What else a form can hold takes `required` without harm.
  for (const control of form.elements as Iterable<HTMLInputElement> & HTMLFormControlsCollection) {
    const { name, type } = control
    // A group of checkboxes wants one of them ticked, which a browser cannot be told.
    const sole = type !== 'checkbox' || form.elements.namedItem(name) === control
    if (sole && schema?.required?.includes(name)) control.required = true
    if (type === 'text') control.type = inputTypes[schema?.properties?.[name]?.format as string] ?? type
  }
  if (honeypotFieldName && !form.elements.namedItem(honeypotFieldName)) form.append(honeypot(honeypotFieldName))
}

/** Out of sight of people, of their keyboards, screen readers and form fillers. Styled so that a strict CSP allows it. */
function honeypot(name: string): HTMLElement {
  return Object.assign(document.createElement('input'), {
    name,
    tabIndex: -1,
    autocomplete: 'off',
    ariaHidden: 'true',
    style: 'position:fixed;left:-999px',
  })
}
