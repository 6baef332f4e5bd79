// Keys of the inbox: j and k move, / searches, e is done, ? shows them. None while somebody types.

const offKey = 'keys-off'

export function heedKeys(): void {
  const note = document.getElementById('keys') as HTMLDetailsElement | null
  const choice = document.getElementById('keys-on') as HTMLInputElement | null
  if (note) note.hidden = false
  if (choice) {
    choice.checked = localStorage.getItem(offKey) === null
    choice.addEventListener('change', () =>
      choice.checked ? localStorage.removeItem(offKey) : localStorage.setItem(offKey, '1'),
    )
  }
  const acts: Record<string, () => boolean> = {
    j: () => move(1),
    k: () => move(-1),
    '/': () => focus(document.getElementById('q')),
    e: done,
    '?': () => {
      if (!note) return false
      note.open = !note.open
      return focus(note.querySelector('summary'))
    },
  }
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, isComposing, target } = event
    if (ctrlKey || metaKey || altKey || isComposing || isTyping(target)) return
    if (localStorage.getItem(offKey) === null && Object.hasOwn(acts, key) && acts[key]?.()) event.preventDefault()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), select, textarea, [contenteditable]') !== null

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#inbox > li')]

/** Which row holds the focus; -1: none. */
const current = (): number => rows().findIndex((row) => row.contains(document.activeElement))

function move(by: 1 | -1): boolean {
  const all = rows()
  const to = Math.min(Math.max(current() + by, 0), all.length - 1)
  return focus(all[to]?.querySelector('a'))
}

/** Of a row the next one is next; on a submission's own page its button is pressed. */
function done(): boolean {
  const row = rows()[current()]
  const button = row ? row.querySelector('button') : document.getElementById('mark-done')
  if (!button) return false
  if (row?.dataset.state !== 'done') button.click()
  if (row) move(1)
  return true
}

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  return element !== null && element !== undefined
}
