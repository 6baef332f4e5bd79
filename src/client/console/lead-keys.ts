import { undoLatest, workHere } from './lead-acts.ts'
import { pick, pickAll, pickedRows, togglePick } from './lead-rows.ts'
import { closeLead, currentRow, focusOn, list, move, openLead, openRow, rows } from './panes.ts'

// The keys that the dialog lists. None while somebody types or a menu is open.

const offKey = 'keys-off'

type Act = () => unknown

export function heedKeys(): void {
  const dialog = document.getElementById('keys') as HTMLDialogElement | null
  if (!dialog) return
  // The pane of the list may be hidden.
  document.body.append(dialog)
  const show = (): void => {
    if (!dialog.open) dialog.showModal()
  }
  offerDialog(show)
  const mayWork = document.getElementById('bulk') !== null
  const acts: Record<string, Act> = { ...readersKeys, ...(mayWork && workersKeys), '?': show }
  const take = inTurn()
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, isComposing, target } = event
    if (isComposing || dialog.open || document.querySelector(':popover-open')) return
    if (isTyping(target)) return whileTyping(event)
    const act = Object.hasOwn(acts, key) && acts[key]
    if (!act || ctrlKey || metaKey || altKey || localStorage.getItem(offKey) !== null) return
    event.preventDefault()
    take(act, event.repeat)
  })
}

/** Each key works on what the keys before it led to. One that is held waits for nothing. */
function inTurn(): (act: Act, isHeld: boolean) => void {
  let waiting = 0
  let latest: Promise<unknown> = Promise.resolve()
  return (act, isHeld) => {
    if (isHeld && waiting > 0) return
    waiting++
    latest = latest.then(act, act).finally(() => waiting--)
  }
}

function offerDialog(show: () => void): void {
  const choice = document.getElementById('keys-on') as HTMLInputElement | null
  const opener = document.getElementById('keys-open')
  if (!choice || !opener) return
  opener.hidden = false
  opener.addEventListener('click', show)
  choice.checked = localStorage.getItem(offKey) === null
  choice.addEventListener('change', () =>
    choice.checked ? localStorage.removeItem(offKey) : localStorage.setItem(offKey, '1'),
  )
}

const readersKeys: Record<string, Act> = {
  j: () => move(1),
  k: () => move(-1),
  u: back,
  Escape: back,
  '/': search,
}

const workersKeys: Record<string, Act> = {
  e: () => workHere(list()?.dataset.which === 'refused' ? 'release' : 'done'),
  m: () => workHere('new'),
  r: () => workHere(list()?.dataset.which === 'refused' ? 'release' : 'refuse'),
  z: undoLatest,
  n: writeNote,
  x: () => togglePick(currentRow()),
  a: () => pickAll()?.click(),
}

const isTyping = (target: EventTarget | null): target is HTMLElement =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), select, textarea, [contenteditable]') !== null

/** Ctrl and Enter send what is typed, Escape leaves it there. */
function whileTyping({ key, ctrlKey, metaKey, target }: KeyboardEvent): void {
  const field = target as HTMLElement
  if (key === 'Escape') {
    field.blur()
    if (!focusLead()) focusOn(currentRow() ?? rows()[0] ?? null)
  } else if (key === 'Enter' && (ctrlKey || metaKey)) field.closest('form')?.requestSubmit()
}

/** Whether a lead is open. */
function focusLead(): boolean {
  const heading = document.querySelector<HTMLElement>('#lead-pane h1')
  if (!heading) return false
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}

/** From the lead to the list; in the list, what is selected is selected no more. */
function back(): void {
  if (openLead() !== null && list()) closeLead()
  else pick(pickedRows(), false)
}

function search(): void {
  const field = document.getElementById('q')
  if (openLead() !== null && field?.offsetParent === null) closeLead()
  field?.focus()
}

async function writeNote(): Promise<void> {
  const row = currentRow()
  if (!document.getElementById('note') && row) await openRow(row)
  document.getElementById('note')?.focus()
}
