/**
 * A field hides the form's own property of that name, and customers may call a field `append`, `dataset` or `elements`:
 * use a form through this (https://html.spec.whatwg.org/#the-form-element, LegacyOverrideBuiltIns).
 */
export const formPrototype = HTMLFormElement.prototype

/** All forms now in the document or a shadow root. */
export const formsIn = (root: ParentNode) => [...root.querySelectorAll<HTMLFormElement>('form[data-svc-form]')]

export const idOf = (form: HTMLFormElement): string => formPrototype.getAttribute.call(form, 'data-svc-form') as string

/** A form's controls, read as if each were an `<input>`. */
export const controlsOf = (form: HTMLFormElement) => Reflect.get(formPrototype, 'elements', form) as Controls

type Controls = Iterable<HTMLInputElement> & HTMLFormControlsCollection

export const isInPage = (form: HTMLFormElement): boolean => Reflect.get(formPrototype, 'isConnected', form)
