/** What an act says, as the box puts it. */
export interface Notice {
  text: string
  /** The form that takes it back. */
  undo?: { path: string; fields: Fields }
  /** What the act was about is not there any more. */
  isGone?: boolean
}

export type Fields = Record<string, string>

const place = (): HTMLElement | null => document.getElementById('inbox-notice')

/** Where sentences appear. It is there before the first of them, or screen readers would miss that one. */
export function addNoticePlace(main: HTMLElement): void {
  const made = document.createElement('div')
  made.id = 'inbox-notice'
  made.setAttribute('role', 'status')
  main.append(made)
}

/** Says what was done, with the way back. It stays until something else is said. */
export function say(text: string, undo?: Notice['undo']): void {
  const words = document.createElement('p')
  words.textContent = text
  place()?.replaceChildren(words)
  if (!undo) return
  const form = document.createElement('form')
  form.className = 'undo'
  form.method = 'post'
  form.action = undo.path
  form.dataset.act = ''
  for (const [name, value] of Object.entries(undo.fields)) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
  const button = document.createElement('button')
  button.className = 'quiet'
  button.textContent = 'Undo'
  form.append(button)
  place()?.append(form)
}

/** A slow connection takes less. */
export const answerMsMax = 30_000

/** The box answers with what it did, rather than with a page. */
export const post = (path: string, fields: Fields): Promise<Response> =>
  fetch(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(answerMsMax),
  })

/** Sends an act. `null`: the page says why it knows of nothing that was done. */
export async function send(path: string, fields: Fields): Promise<Notice | null> {
  try {
    const answer = await post(path, fields)
    const isSaid = answer.headers.get('content-type') === 'application/json'
    const isGone = answer.status === 404
    if (isSaid && (answer.ok || isGone)) return { ...(await answer.json()), isGone }
    if (isSaid) say(((await answer.json()) as Notice).text)
    else if (answer.status === 401) say('Your session has ended. Nothing was changed: reload the page to sign in.')
    else if (answer.status >= 500) say('The console could not answer. Try again.')
    // The page knows less than the box: the account is gone, or the user's role is another.
    else location.reload()
  } catch {
    say(
      navigator.onLine
        ? 'No answer came, so this may be done or not. Try again.'
        : 'There is no connection. Nothing was changed: try again.',
    )
  }
  return null
}
