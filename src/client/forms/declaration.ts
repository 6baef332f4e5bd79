import type { FormConfiguration } from '../config.ts'
import type { LoadedTexts } from './fallback-texts.ts'

/** Fields whose error message this file has set, so that a page's own messages stay. */
export type CheckedFields = WeakSet<HTMLInputElement>

interface Declaring {
  checkedFields: CheckedFields
  texts: LoadedTexts
}

/**
 * Gives a form the constraints of its schema, whenever it is called: the browser's own validation enforces them. Fields
 * keep their type, on which the page's styles and keyboards depend.
 */
export function applySchema(
  form: HTMLFormElement,
  { schema }: FormConfiguration,
  { checkedFields: checked, texts }: Declaring,
): void {
  // All other elements of a form accept `required`.
  for (const control of form.elements as Iterable<HTMLInputElement> & HTMLFormControlsCollection) {
    const { name, type } = control
    // A group of checkboxes needs one ticked, which browsers cannot express. Files are never sent.
    const sole = type !== 'file' && (type !== 'checkbox' || form.elements.namedItem(name) === control)
    // Browsers silently refuse a form over a field that the visitor cannot see, in another step or plan.
    if (sole && schema?.required?.includes(name)) control.required = !!control.getClientRects()[0]

    const check = checks[schema?.properties?.[name]?.format as string]
    if (!check || type !== 'text' || checked.has(control)) continue
    checked.add(control)
    let isOurs = false
    const look = () => {
      const message = control.value.trim() && check(control.value, texts)
      if (message || isOurs) control.setCustomValidity(message)
      isOurs = !!message
    }
    control.addEventListener('input', look)
    // A page may have written into it without an event.
    control.addEventListener('invalid', look)
    look()
  }
}

/** What is wrong with a value of a format, in the browser's words; empty: nothing. */
const checks: Record<string, ((value: string, texts: LoadedTexts) => string) | undefined> = {
  // The box's own rule: as the HTML standard has it, with a dot in the domain, and with
  // letters outside ASCII, which browsers refuse before the `@`.
  email: (value, texts) =>
    browserMessage('email', value.replace(/(?![a-z])[\p{L}\p{M}]/giu, 'x'))
      ? browserMessage('email', value)
      : value.includes('.', value.indexOf('@'))
        ? ''
        : (texts.email ?? ''),
  uri: (value) => browserMessage('url', value),
}

/** The browser's message for a value in a field of that type. */
const browserMessage = (type: string, value: string): string =>
  Object.assign(document.createElement('input'), { type, value }).validationMessage
