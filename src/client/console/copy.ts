const shownMs = 2000

/**
 * Shows all buttons with `data-copy`, the id of the element whose value or text is copied. Without a script, the
 * element can be selected.
 */
export function offerCopying(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('button[data-copy]')
  if (buttons.length === 0) return
  const status = document.createElement('div')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  document.body.append(status)
  for (const button of buttons) {
    const source = document.getElementById(button.dataset.copy ?? '')
    if (source === null) continue
    button.hidden = false
    button.addEventListener('click', () => void copy(source, button, status))
  }
}

async function copy(source: HTMLElement, button: HTMLButtonElement, status: HTMLElement): Promise<void> {
  const isCopied = await written(textOf(source))
  if (!isCopied) select(source)
  const words = isCopied ? 'Copied' : 'Selected: copy it yourself'
  const name = button.dataset.name ?? button.textContent ?? ''
  button.dataset.name = name
  button.textContent = words
  status.textContent = words
  setTimeout(() => {
    button.textContent = name
    status.textContent = ''
  }, shownMs)
}

/** Whether the clipboard has the text now. Pages without https have no clipboard. */
async function written(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

const textOf = (source: HTMLElement): string =>
  source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement
    ? source.value
    : (source.textContent ?? '')

function select(source: HTMLElement): void {
  if (source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement) source.select()
  else getSelection()?.selectAllChildren(source)
}
