/** Time for a screen reader to see the empty region before it is filled, without which it stays silent. */
const announceDelayMs = 50

/** Says something at the end of a form, aloud too, in the place of what stood there. */
export function announce(form: HTMLFormElement, role: 'status' | 'alert', text: string): void {
  form.querySelector('.svc-message')?.remove()
  const message = Object.assign(document.createElement('p'), { className: 'svc-message' })
  message.setAttribute('role', role)
  form.append(message)
  setTimeout(() => {
    message.textContent = text
  }, announceDelayMs)
}

/** Tells the page how it went: a bubbling `svc:accepted` or `svc:refused`. */
export function tell(form: HTMLFormElement, outcome: string, detail: object): void {
  form.dispatchEvent(new CustomEvent('svc:' + outcome, { bubbles: true, detail }))
}
