// New leads appear at the top of the inbox while somebody looks at it. A tab that nobody sees listens to nothing.

interface Lead {
  id: string
  who: string
  words: string
  form: string
  source: string
  at: string
  time: string
  marks: string[]
  /** `null`: whoever looks does not see states. */
  state: string | null
  /** Whether it is in quarantine. */
  isRefused: boolean
}

/** Older rows leave the page beyond so many. */
const liveRowsMax = 200

export function followInbox(): void {
  const list = document.getElementById('inbox')
  const path = list?.dataset.live
  const template = document.getElementById('inbox-row') as HTMLTemplateElement | null
  if (!list || !path || !template) return
  let after = list.dataset.after ?? ''
  let source: EventSource | null = null
  const listen = (): void => {
    source?.close()
    source = null
    if (document.hidden) return
    source = new EventSource(`${path}&after=${after}`)
    source.addEventListener('lead', ({ data, lastEventId }) => {
      after = lastEventId
      showLead(JSON.parse(data), list, template)
    })
  }
  document.addEventListener('visibilitychange', listen)
  addEventListener('pagehide', () => source?.close())
  listen()
}

function showLead(row: Lead, list: HTMLElement, template: HTMLTemplateElement): void {
  const item = (template.content.cloneNode(true) as DocumentFragment).querySelector('li')
  const link = item?.querySelector('a')
  if (!item || !link) return
  link.href += row.id
  if ([...list.querySelectorAll('a')].some(({ href }) => href === link.href)) return
  fill(item, '.who bdi', row.who)
  fill(item, '.gist bdi', row.words)
  fill(item, '.form', row.form)
  fill(item, 'form .unseen bdi', row.who)
  const time = item.querySelector('time')
  if (time) [time.dateTime, time.textContent] = [row.at, row.time]
  if (row.source) fill(item, '.source', ` · ${row.source}`)
  const field = item.querySelector<HTMLInputElement>('[name=submission]')
  if (field) field.value = row.id
  const pick = item.querySelector<HTMLInputElement>('.pick input')
  if (pick) pick.name += row.id
  fill(item, '.pick .unseen bdi', row.who)
  if (row.state) showState(item, row.state)
  if (row.isRefused) offer(item, 'release', 'Release')
  for (const mark of row.marks) {
    const shown = document.createElement('span')
    shown.className = 'mark'
    shown.textContent = mark
    item.querySelector('.marks')?.append(' ', shown)
  }
  list.prepend(item)
  if (list.childElementCount > liveRowsMax) list.lastElementChild?.remove()
  document.getElementById('inbox-empty')?.remove()
  fill(document, '#inbox-news', `${document.getElementById('inbox-news')?.dataset.new ?? 'New'}: ${row.who}`)
}

function fill(within: ParentNode, selector: string, text: string): void {
  const place = within.querySelector(selector)
  if (place) place.textContent = text
}

// Marks rows of the inbox as done, opens them again and releases them, without loading the page anew.

export function workOnRows(): void {
  document.getElementById('inbox')?.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    event.preventDefault()
    void sendRow(form)
  })
}

const sentences: Record<string, string> = {
  done: 'Marked as done.',
  seen: 'Reopened.',
  new: 'Marked as new.',
  release: 'Released. From now on it counts as a lead.',
}

async function sendRow(form: HTMLFormElement): Promise<void> {
  const row = form.closest('li')
  const { do: act = '', submission = '' } = Object.fromEntries(new FormData(form)) as Record<string, string>
  if (row === null || !(await sent({ do: act, submission }))) return
  const before = row.dataset.state ?? ''
  if (act === 'release') {
    row.remove()
    say(sentences[act] ?? '', () => void sent({ do: 'refuse', submission }).then((done) => done && location.reload()))
    return
  }
  showState(row, act)
  say(sentences[act] ?? '', async () => {
    if (!(await sent({ do: before, submission }))) return
    showState(row, before)
    say('As before.')
    focusOn(row.querySelector('a'))
  })
}

/** Whether it was done. A page that knows less than the box is loaded anew; one without a connection or a session says so. */
async function sent(fields: Record<string, string>): Promise<boolean> {
  try {
    const body = new URLSearchParams(fields)
    const answer = await fetch(location.href, { method: 'POST', body, redirect: 'manual' })
    if (answer.type === 'opaqueredirect') return true
    if (answer.status === 401) say('Your session has ended. Nothing was changed: reload the page to sign in.')
    else location.reload()
  } catch {
    say('There is no connection. Nothing was changed: try again.')
  }
  return false
}

/** Says what was done, with the way back. */
function say(text: string, undo?: () => void): void {
  const news = document.getElementById('inbox-notice')
  if (!news) return
  const words = document.createElement('p')
  words.textContent = text
  news.className = 'note'
  news.replaceChildren(words)
  if (!undo) return
  const button = document.createElement('button')
  button.className = 'quiet'
  button.textContent = 'Undo'
  button.addEventListener('click', undo)
  news.append(button)
}

/** What the row's button does next follows from how far the submission is. */
function showState(row: HTMLElement, state: string): void {
  row.dataset.state = state
  if (state !== 'new') row.querySelector('.who .unseen')?.remove()
  if (state === 'done') offer(row, 'seen', 'Reopen')
  else offer(row, 'done', 'Done')
}

function offer(row: HTMLElement, act: string, text: string): void {
  const field = row.querySelector<HTMLInputElement>('[name=do]')
  const shown = row.querySelector('form button')?.firstChild
  if (!field || !shown) return
  field.value = act
  shown.textContent = text
}

// Selects rows, all at once too, and says how many are selected.

export function countPicked(): void {
  const bar = document.getElementById('bulk')
  const all = document.getElementById('pick-all') as HTMLInputElement | null
  const words = bar?.querySelector('.picked')
  if (!bar || !all || !words) return
  const boxes = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>('#inbox .pick input')]
  const count = (): void => {
    const picked = boxes().filter(({ checked }) => checked).length
    words.textContent = picked === 0 ? 'Nothing selected' : `${picked} selected:`
    bar.classList.toggle('idle', picked === 0)
    all.checked = picked > 0 && picked === boxes().length
    all.indeterminate = picked > 0 && !all.checked
  }
  if (all.parentElement) all.parentElement.hidden = false
  all.addEventListener('change', () => {
    for (const box of boxes()) box.checked = all.checked
    count()
  })
  document.getElementById('inbox')?.addEventListener('change', count)
  count()
}

// Keys of the inbox: j and k move, / searches, e is done, x selects, ? shows them. None while somebody types.

const offKey = 'keys-off'

export function heedKeys(): void {
  const dialog = document.getElementById('keys') as HTMLDialogElement | null
  const choice = document.getElementById('keys-on') as HTMLInputElement | null
  const opener = document.getElementById('keys-open')
  const show = (): boolean => {
    if (!dialog?.open) dialog?.showModal()
    return dialog !== null
  }
  if (opener) opener.hidden = false
  opener?.addEventListener('click', show)
  if (choice) {
    choice.checked = localStorage.getItem(offKey) === null
    choice.addEventListener('change', () =>
      choice.checked ? localStorage.removeItem(offKey) : localStorage.setItem(offKey, '1'),
    )
  }
  const acts: Record<string, () => boolean> = {
    j: () => move(1),
    k: () => move(-1),
    '/': () => focusOn(document.getElementById('q')),
    e: done,
    x: select,
    '?': show,
  }
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, isComposing, target } = event
    if (ctrlKey || metaKey || altKey || isComposing || isTyping(target) || dialog?.open) return
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
  return focusOn(all[to]?.querySelector('a'))
}

/** Of a row the next one is next; on a submission's own page its button is pressed. */
function done(): boolean {
  const row = rows()[current()]
  const button = row ? row.querySelector<HTMLButtonElement>('form button') : document.getElementById('mark-done')
  if (!button) return false
  if (!row || row.querySelector<HTMLInputElement>('[name=do]')?.value === 'done') button.click()
  if (row) move(1)
  return true
}

function select(): boolean {
  const box = rows()[current()]?.querySelector<HTMLInputElement>('.pick input')
  box?.click()
  return box !== undefined
}

function focusOn(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  return element !== null && element !== undefined
}

// A search that stopped for time goes on by itself, one page after the other, until the list is full.

/** As many rows as a page of the inbox shows. */
const searchedRowsMax = 50

export function searchFurther(): void {
  const link = document.querySelector<HTMLAnchorElement>('#further a')
  const list = document.getElementById('inbox')
  if (!link || !list || list.childElementCount >= searchedRowsMax) return
  const request = new XMLHttpRequest()
  request.open('GET', link.href)
  // The browser parses the page as it would show it: nothing is put together from text here.
  request.responseType = 'document'
  request.addEventListener('load', () => {
    const page = request.responseXML
    if (!page?.getElementById('inbox')) return
    list.append(...page.querySelectorAll('#inbox > li'))
    for (const part of ['#inbox-empty', '#further', '.more']) takeOver(part, page)
    if (list.childElementCount > 0) document.getElementById('inbox-empty')?.remove()
    searchFurther()
  })
  request.send()
}

function takeOver(part: string, page: Document): void {
  const later = page.querySelector(part)
  const mine = document.querySelector(part)
  if (later) mine?.replaceWith(later)
  else mine?.remove()
}

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
