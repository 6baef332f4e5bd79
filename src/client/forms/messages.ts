/** Time for a screen reader to see the empty region before it is filled, without which it stays silent. */
const announceDelayMs = 50

/**
 * Says at the end of the form how it went, aloud too: `accepted`, or the code of a refusal, and how long to wait. The
 * attribute `data-svc-message-<code>` overrides the text.
 */
export function announce(form: HTMLFormElement, code: string, retryAfterSeconds?: number): void {
  const accepted = code === 'accepted'
  const text =
    form.getAttribute('data-svc-message-' + code) ??
    (accepted ? 'Thank you, it has been sent.' : 'Sorry, it could not be sent. Please try again.')
  form.querySelector('.svc-message')?.remove()
  const message = Object.assign(document.createElement('p'), {
    className: 'svc-message',
    role: accepted ? 'status' : 'alert',
  })
  form.append(message)
  setTimeout(() => {
    message.textContent = text + (retryAfterSeconds ? ` (${retryAfterSeconds} s)` : '')
  }, announceDelayMs)
}

/** Shows the page's own thank-you and moves to it, which announces it; a message where the page has none. */
export function thank(form: HTMLFormElement): void {
  const place = document.querySelector<HTMLElement>(form.dataset.svcSuccess || '_')
  if (place) Object.assign(place, { hidden: false, tabIndex: -1 }).focus()
  else announce(form, 'accepted')
}
