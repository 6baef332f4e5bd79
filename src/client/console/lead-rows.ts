import { list, rowOf, rows } from './panes.ts'

/** How a list shows what became of a lead. */
export function showAct(id: string, act: string): void {
  const row = rowOf(id)
  if (act === 'refuse' || act === 'release') moveOver(row, act)
  else if (row) showState(row, act)
}

const stateBefore: Record<string, string> = { new: 'New: ', seen: '', done: 'Done: ' }

export function showState(row: HTMLElement, state: string): void {
  const { state: before } = row.dataset
  row.dataset.state = state
  if (list()?.dataset.which !== 'refused') addToCount('new', Number(state === 'new') - Number(before === 'new'))
  fill(row, '.state', stateBefore[state] ?? '')
  const button = row.querySelector<HTMLButtonElement>('[value=done], [value=seen]')
  if (!button?.firstChild) return
  button.value = state === 'done' ? 'seen' : 'done'
  button.firstChild.textContent = state === 'done' ? 'Reopen' : 'Done'
}

/** Between the leads and the quarantine: a row that leaves the list waits in it for *Undo*. */
function moveOver(row: HTMLElement | null, act: string): void {
  const { which } = list()?.dataset ?? {}
  const by = act === 'release' ? 1 : -1
  addToCount('accepted', by)
  addToCount('refused', -by)
  if (row?.dataset.state === 'new') addToCount('new', by)
  if (!row) return
  if (which === 'all') showRefused(row, act === 'refuse')
  else row.hidden = (act === 'release') !== (which === 'accepted')
}

/** In the list of all: where the lead is now, and what can be done with it. */
function showRefused(row: HTMLElement, isRefused: boolean): void {
  offer(row, isRefused)
  const marks = row.querySelector('.marks')
  const known = [...(marks?.children ?? [])].find(({ textContent }) => /^(?:quarantine|released)$/.test(textContent))
  const mark = known ?? document.createElement('span')
  mark.className = 'mark'
  mark.textContent = isRefused ? 'quarantine' : 'released'
  if (!known) marks?.append(' ', mark)
}

/** The buttons of a lead, or of one in quarantine. */
export function offer(row: HTMLElement, isRefused: boolean): void {
  const [first, second] = row.querySelectorAll<HTMLButtonElement>('form button')
  if (!first?.firstChild || !second) return
  second.hidden = isRefused
  first.value = isRefused ? 'release' : 'done'
  first.firstChild.textContent = 'Release'
  if (!isRefused) showState(row, row.dataset.state ?? '')
}

/** Large numbers are bounded, and stay as they are. */
export function addToCount(name: string, by: number): void {
  const place = document.querySelector<HTMLElement>(`[data-count=${name}]`)
  const number = Number(place?.textContent?.replaceAll(',', ''))
  if (!place || Number.isNaN(number)) return
  place.textContent = Math.max(0, number + by).toLocaleString('en')
  if (name === 'new' && place.parentElement) place.parentElement.hidden = number + by <= 0
}

export function fill(within: ParentNode, selector: string, text: string): void {
  const place = within.querySelector(selector)
  if (place) place.textContent = text
}

const boxOf = (row: HTMLElement): HTMLInputElement | null => row.querySelector('.pick input')

export const pickedRows = (): HTMLElement[] => rows().filter((row) => boxOf(row)?.checked)

/** Selects rows, and says how many are selected. */
export function pick(of: readonly HTMLElement[], isPicked: boolean): void {
  for (const row of of) {
    const box = boxOf(row)
    if (box) box.checked = isPicked
  }
  showPicked()
}

export function togglePick(row: HTMLElement | null): void {
  if (row) pick([row], !boxOf(row)?.checked)
}

export const pickAll = (): HTMLInputElement | null => document.querySelector('#pick-all')

function showPicked(): void {
  const bar = document.getElementById('bulk')
  const all = pickAll()
  if (!bar || !all) return
  const { length } = pickedRows()
  fill(bar, '.picked', length === 0 ? 'Select all' : `${length} selected:`)
  bar.classList.toggle('idle', length === 0)
  all.checked = length > 0 && length === rows().length
  all.indeterminate = length > 0 && !all.checked
}

export function countPicked(): void {
  const all = pickAll()
  if (!all?.parentElement) return
  all.parentElement.hidden = false
  all.addEventListener('change', () => pick(rows(), all.checked))
  list()?.addEventListener('change', showPicked)
  showPicked()
}
