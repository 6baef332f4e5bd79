import { formPrototype } from './page-forms.ts'

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
