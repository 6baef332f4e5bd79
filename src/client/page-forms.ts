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

/** Time for a screen reader to notice the empty region before it is filled; otherwise it stays silent. */
const announceDelayMs = 50

/** Shows a message at the end of a form and announces it, replacing the previous one. */
export function announce(form: HTMLFormElement, role: 'status' | 'alert', text: string): void {
  formPrototype.querySelector.call(form, '.svc-message')?.remove()
  const message = Object.assign(document.createElement('p'), { className: 'svc-message' })
  message.setAttribute('role', role)
  formPrototype.append.call(form, message)
  setTimeout(() => {
    message.textContent = text
  }, announceDelayMs)
}

/** Reports the outcome to the page: a bubbling `svc:accepted` or `svc:refused`. */
export function tell(form: HTMLFormElement, outcome: string, detail: object): void {
  formPrototype.dispatchEvent.call(form, new CustomEvent('svc:' + outcome, { bubbles: true, detail }))
}

/** A form as it stood when the visitor sent it. */
export interface Draft {
  form: HTMLFormElement
  submitter?: HTMLElement | null | undefined
  data: FormData
  /** What was typed after this change is read again when the form is sent. */
  change: number
}

/** The number of each field's last change, counted from 1. */
export type LastChanges = WeakMap<EventTarget, number>

export type SendDraft = (draft: Draft) => void | Promise<void>

export type DraftOf = (form: HTMLFormElement, submitter?: HTMLElement | null) => Draft
