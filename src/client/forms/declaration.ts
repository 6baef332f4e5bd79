import type { FormConfiguration } from '../config.ts'
import { controlsOf } from '../page-forms.ts'
import type { LoadedTexts } from './outcome.ts'

/** The error message that this file has set last on each field, so that a page's own messages stay. */
export type FieldMessages = WeakMap<HTMLInputElement, string>

interface Declaring {
  messages: FieldMessages
  texts: LoadedTexts
}

/**
 * Gives a form the constraints of its schema, whenever it is called: the browser's own validation enforces them. Fields
 * keep their type, on which the page's styles and keyboards depend.
 */
export function applySchema(
  form: HTMLFormElement,
  { schema }: FormConfiguration,
  { messages, texts }: Declaring,
): void {
  // All other elements of a form accept `required`.
  const controls = controlsOf(form)
  for (const control of controls) {
    const { name, type } = control
    // A group of checkboxes needs one ticked, which browsers cannot express. Files are never sent.
    const sole = type !== 'file' && (type !== 'checkbox' || controls.namedItem(name) === control)
    // Browsers silently refuse a form over a field that the visitor cannot see, in another step or plan.
    if (sole && schema?.required?.includes(name)) control.required = !!control.getClientRects()[0]

    const check = checks[schema?.properties?.[name]?.format as string]
    if (!check || type !== 'text') continue
    const message = control.value.trim() && check(control.value, texts)
    if (message || messages.get(control)) control.setCustomValidity(message)
    messages.set(control, message)
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
