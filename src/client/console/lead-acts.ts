import { pick, pickedRows, showAct, showState } from './lead-rows.ts'
import { type Fields, type Notice, post, say, send } from './notice.ts'
import { closeLead, currentRow, focusOn, list, nextRow, openLead, openRow, rowOf, rows } from './panes.ts'

// Acts on leads: sent without a new page, said in one sentence, and followed by the next lead.

const pickPrefix = 'pick:'

export function heedSubmits(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (form.dataset.act === undefined || !list()) return
    const fields = Object.fromEntries(new FormData(form, event.submitter)) as Fields
    const act = (fields.do ?? '').replace('bulk-', '')
    // Its page asks first.
    if (act === 'remove') return
    event.preventDefault()
    if (form.className === 'undo') void takeBack(form)
    else void work(act, form.id === 'bulk' ? idsIn(fields) : [fields.submission ?? openLead() ?? ''])
  })
}

/** Does it to what is selected, or to the lead at hand. */
export async function workHere(act: string): Promise<void> {
  const ids = pickedRows().map((row) => row.dataset.id ?? '')
  const id = currentRow()?.dataset.id ?? openLead()
  if (ids.length === 0 && id) ids.push(id)
  if (ids.length > 0) await work(act, ids)
}

/** Takes back the latest act, on this page or on the one that led here. */
export async function undoLatest(): Promise<void> {
  const form = document.querySelector<HTMLFormElement>('#inbox-notice .undo, .note .undo')
  if (form) await takeBack(form)
}

async function work(act: string, ids: readonly string[]): Promise<void> {
  const worked = ids.flatMap((id) => rowOf(id) ?? [])
  const last = worked.at(-1)
  const next = last ? await nextRow(last, worked) : null
  const picks = Object.fromEntries(ids.map((id) => [pickPrefix + id, 'on']))
  const [id = ''] = ids
  const fields: Fields = ids.length === 1 ? { do: act, submission: id } : { do: `bulk-${act}`, ...picks }
  if (!(await carryOut(fields))) return
  const stays = last?.isConnected && !last.hidden ? last : rows().at(-1)
  await goOn(act, { ids, next: next ?? stays ?? null })
}

/** To the next lead: the keyboard and the eye are there already. */
async function goOn(act: string, { ids, next }: { ids: readonly string[]; next: HTMLElement | null }): Promise<void> {
  const open = openLead()
  const to = act === 'seen' ? rowOf(open ?? '') : next
  if (open === null) focusOn(next)
  else if (!ids.includes(open)) return
  else if (to && (act === 'seen' || !ids.includes(to.dataset.id ?? ''))) await openRow(to)
  else closeLead()
}

async function carryOut(fields: Fields): Promise<boolean> {
  const notice = await send(list()?.dataset.list ?? '', fields)
  if (notice === null) return false
  showOutcome(fields, notice)
  say(notice.text, notice.undo)
  return true
}

async function takeBack(form: HTMLFormElement): Promise<void> {
  const fields = Object.fromEntries(new FormData(form)) as Fields
  if (!(await carryOut(fields))) return
  form.closest('.note')?.remove()
  const row = rowOf(idsIn(fields)[0] ?? '')
  if (row === null) return
  if (openLead() === null) focusOn(row)
  else await openRow(row)
}

/** What can be taken back was done. The rest stays selected. */
function showOutcome(fields: Fields, { undo, isGone }: Notice): void {
  const act = (fields.do ?? '').replace('bulk-', '')
  const isRestored = act === 'restore'
  const done = idsIn(undo?.fields ?? (isRestored || isGone ? fields : {}))
  pick(
    done.flatMap((id) => rowOf(id) ?? []),
    false,
  )
  for (const id of done) {
    if (isGone) rowOf(id)?.remove()
    else showAct(id, isRestored ? (fields[pickPrefix + id] ?? '') : act)
  }
}

const idsIn = ({ submission, ...fields }: Fields): string[] =>
  submission === undefined
    ? Object.keys(fields).flatMap((name) => (name.startsWith(pickPrefix) ? [name.slice(pickPrefix.length)] : []))
    : [submission]

/** A new submission is seen once somebody looks at its page. A tab in the background has not been looked at. */
export function noteSeen(): void {
  const form = document.querySelector<HTMLFormElement>('#see')
  if (!form) return
  if (!document.hidden) void see(form)
  else document.addEventListener('visibilitychange', noteSeen, { once: true })
}

async function see(form: HTMLFormElement): Promise<void> {
  const id = openLead() ?? ''
  const answer = await post(location.href, { do: 'see' }).catch(() => null)
  if (!answer?.ok) return
  const row = rowOf(id)
  if (row?.dataset.state === 'new') showState(row, 'seen')
  const mark = form.closest('.work')?.querySelector('.mark')
  const field = form.querySelector<HTMLInputElement>('[name=do]')
  const button = form.querySelector('button')
  if (!mark || !field || !button) return
  mark.textContent = form.dataset.seen ?? ''
  field.value = 'new'
  form.dataset.act = ''
  button.textContent = 'Mark as new'
}
