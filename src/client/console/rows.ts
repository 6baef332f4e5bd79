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
  const text = form.querySelector('button')?.firstChild
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  try {
    const answer = await fetch(location.href, { method: 'POST', body, redirect: 'manual' })
    if (answer.type !== 'opaqueredirect' || row === null || !text) throw new Error('refused')
    const isDone = field.value === 'done'
    row.dataset.state = field.value
    field.value = isDone ? 'seen' : 'done'
    text.textContent = isDone ? 'Reopen' : 'Done'
  } catch {
    location.reload()
  }
}
