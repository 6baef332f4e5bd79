import type { FormConfiguration } from './config.ts'
import type { Site } from './site.ts'

/**
 * One flat JSON object of what the visitor entered; repeated names become arrays (contract section 7, Forms).
 * A `Map` first, so that a field named `__proto__` is a field like any other.
 */
export function fieldsOf(site: Site, form: HTMLFormElement, submitter?: HTMLElement | null): string {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new FormData(form, submitter)) {
    const before = fields.get(name)
    if (typeof value === 'string') fields.set(name, before === undefined ? value : [before, value].flat())
    else if (value.name) site.say('Files are not sent: ' + name)
  }
  return JSON.stringify(Object.fromEntries(fields))
}

/** Gives a form what its declaration asks for, as often as it is asked: constraints for the browser's own validation, and the honeypot. */
export function applyDeclaration(form: HTMLFormElement, { honeypotFieldName, schema }: FormConfiguration): void {
  // What else a form can hold takes `required` without harm.
  for (const control of form.elements as Iterable<HTMLInputElement> & HTMLFormControlsCollection) {
    const { name, type } = control
    // A group of checkboxes wants one of them ticked, which a browser cannot be told.
    const sole = type !== 'checkbox' || form.elements.namedItem(name) === control
    if (sole && schema?.required?.includes(name)) control.required = true
    if (type === 'text' && schema?.properties?.[name]?.format === 'email') control.type = 'email'
  }
  if (honeypotFieldName && !form.elements.namedItem(honeypotFieldName)) form.append(honeypot(honeypotFieldName))
}

/** Out of sight of people, of their keyboards, screen readers and form fillers. Styled so that a strict CSP allows it. */
function honeypot(name: string): HTMLElement {
  const input = document.createElement('input')
  input.style.cssText = 'position:fixed;left:-999px'
  return Object.assign(input, { name, tabIndex: -1, autocomplete: 'off', ariaHidden: 'true' })
}
