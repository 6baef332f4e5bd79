// Marks rows of the inbox as done, and opens them again, without loading the page anew.

export function workOnRows(): void {
  document.getElementById('inbox')?.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    event.preventDefault()
    void send(form)
  })
}

async function send(form: HTMLFormElement): Promise<void> {
  const row = form.closest('li')
  const field = form.elements.namedItem('do') as HTMLInputElement
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  try {
    const answer = await fetch(location.href, { method: 'POST', body, redirect: 'manual' })
    if (answer.type !== 'opaqueredirect' || row === null) throw new Error('refused')
    const state = field.value
    showState(row, state)
    const news = document.getElementById('inbox-news')
    if (news) news.textContent = state === 'done' ? 'Marked as done.' : 'Reopened.'
  } catch {
    location.reload()
  }
}

/** What the row's button does next follows from how far the submission is. */
export function showState(row: HTMLElement, state: string): void {
  row.dataset.state = state
  if (state !== 'new') row.querySelector('.who .unseen')?.remove()
  const field = row.querySelector<HTMLInputElement>('[name=do]')
  const text = row.querySelector('button')?.firstChild
  if (!field || !text) return
  field.value = state === 'done' ? 'seen' : 'done'
  text.textContent = state === 'done' ? 'Reopen' : 'Done'
}
