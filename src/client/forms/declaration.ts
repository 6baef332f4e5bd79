import { controlsOf, formPrototype, idOf, isInPage } from '../page-forms.ts'
import type { FormConfiguration } from '../requests.ts'
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
  { schema, files }: FormConfiguration,
  { messages, texts }: Declaring,
): void {
  // All other elements of a form accept `required`.
  const controls = controlsOf(form)
  for (const control of controls) {
    const { name, type } = control
    // A group of checkboxes needs one ticked, which browsers cannot express. Files are sent only where the form takes some.
    const sole = (type !== 'file' || files?.[name]) && (type !== 'checkbox' || controls.namedItem(name) === control)
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

/** A page's own fields may look alike while they wait for a form that comes later. */
type Trap = HTMLInputElement & { svc?: boolean }

/**
 * Opacity works in every layout, and absolute positioning takes no room in a flex box or grid. All are important, since
 * pages style every `input`.
 */
const style =
  'all:initial!important;position:absolute!important;top:0!important;left:0!important;width:1px!important;opacity:0!important;pointer-events:none!important'

/**
 * Gives a form its honeypot, out of sight of people, keyboards, screen readers and form fillers. The field belongs to the
 * form by its `form` attribute and stands behind everything else: inside the form it would be somebody's last child or
 * next sibling, and the page's styles would hit it or what is beside it.
 */
export function addHoneypot(form: HTMLFormElement, name: string): void {
  if (controlsOf(form).namedItem(name) || !isInPage(form)) return
  const root = formPrototype.getRootNode.call(form) as Document | ShadowRoot
  const place = root === document ? document.body : root
  // Of forms that have left the page.
  for (const left of [...place.children] as Trap[]) if (left.svc && !left.form) left.remove()

  const properties = { name, tabIndex: -1, autocomplete: 'off', svc: true } as const
  const trap: Trap = Object.assign(document.createElement('input'), properties)
  trap.setAttribute('form', idIn(root, form))
  trap.setAttribute('aria-hidden', 'true')
  // Not by its attribute, which a strict Content-Security-Policy refuses.
  trap.style.cssText = style
  place.append(trap)
  // If two forms share an id, the field would belong to the first.
  if (trap.form !== form) {
    trap.removeAttribute('form')
    formPrototype.append.call(form, trap)
  }
}

function idIn(root: Document | ShadowRoot, form: HTMLFormElement): string {
  let id = formPrototype.getAttribute.call(form, 'id')
  for (let count = 1; !id; count++) {
    id = `svc-${idOf(form)}-${count}`
    if (root.getElementById(id)) id = null
  }
  formPrototype.setAttribute.call(form, 'id', id)
  return id
}
