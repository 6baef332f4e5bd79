// A new submission is seen once somebody looks at its page. A tab in the background has not been looked at.

export function noteSeen(): void {
  const form = document.querySelector<HTMLFormElement>('#see')
  if (!form) return
  if (!document.hidden) void see(form)
  else document.addEventListener('visibilitychange', () => void see(form), { once: true })
}

async function see(form: HTMLFormElement): Promise<void> {
  const body = new URLSearchParams({ do: 'see' })
  const answer = await fetch(location.pathname, { method: 'POST', body, redirect: 'manual' }).catch(() => null)
  const mark = document.querySelector('.work .mark')
  const field = form.querySelector<HTMLInputElement>('[name=do]')
  const button = form.querySelector('button')
  if (answer?.type !== 'opaqueredirect' || !mark || !field || !button) return
  mark.textContent = form.dataset.seen ?? ''
  field.value = 'new'
  button.textContent = 'Mark as new'
}
