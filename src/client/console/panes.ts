import { addNoticePlace, answerMsMax, say } from './notice.ts'

// A list of leads and the lead that is open. The style shows them beside each other in a wide window, else one at a time.
// The address names the lead; the other half of the page is fetched from its own address.

export const list = (): HTMLElement | null => document.getElementById('inbox')
const leadPane = (): HTMLElement | null => document.getElementById('lead-pane')
const linkOf = (row: Element | null | undefined): HTMLAnchorElement | null => row?.querySelector('a') ?? null

/** The id of the lead that the address names. */
export const openLead = (): string | null => /^\/a\/[^/]+\/s\/([^/]+)$/.exec(location.pathname)?.[1] ?? null

/** Those that have left the list wait in it, hidden, to be taken back. */
export const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#inbox > li:not([hidden])')]

export const rowOf = (id: string): HTMLElement | null =>
  list()?.querySelector(`[data-id="${CSS.escape(id.toLowerCase())}"]`) ?? null

/** The row that somebody works on: the one with the focus, or that of the open lead. */
export function currentRow(): HTMLElement | null {
  const focused = document.activeElement?.closest<HTMLElement>('#inbox > li')
  return focused ?? list()?.querySelector('a[aria-current]')?.closest('li') ?? null
}

export const focusOn = (row: Element | null): void => linkOf(row)?.focus()

/** Pages of a list that are fetched to find the row of a lead that is opened by its address. */
const pagesLookedMax = 10

export async function joinPanes(): Promise<void> {
  const main = document.querySelector<HTMLElement>('main.panes')
  if (!main) return
  main.dataset.title = document.title
  if (leadPane() === null) {
    const pane = document.createElement('section')
    pane.className = 'pane'
    pane.id = 'lead-pane'
    main.append(pane)
    showNone()
  } else await fetchList(main)
  leadPane()?.setAttribute('data-lead', openLead() ?? '')
  addNoticePlace(main)
  document.addEventListener('click', followLink)
  addEventListener('popstate', () => {
    const id = openLead()
    if (id === null) return close()
    // The address names another lead already: nothing of the one before may be acted on.
    fillPane([], null)
    void showLead(location.href, rowOf(id))
  })
}

async function fetchList(main: HTMLElement): Promise<void> {
  const page = await pageAt((document.getElementById('to-list') as HTMLAnchorElement).href).catch(() => null)
  const pane = page?.getElementById('list-pane')
  if (!page || !pane) return
  main.prepend(pane)
  main.dataset.title = page.title
  const id = openLead() ?? ''
  for (let looked = 0; !rowOf(id) && looked < pagesLookedMax && (await addOlder()); looked++);
  mark(rowOf(id))
  offerMoves()
}

/** A page of the console, put together by the browser's own parser; `null`: it is not there. @throws without a connection */
const pageAt = (address: string): Promise<Document | null> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', address)
    request.responseType = 'document'
    request.timeout = answerMsMax
    request.addEventListener('load', () => resolve(request.status === 404 ? null : request.responseXML))
    for (const lost of ['error', 'timeout']) request.addEventListener(lost, () => reject(new Error('no connection')))
    request.send()
  })

/** Adds the next page to the list. @returns its first row, if it has any; `null`: there is no further page */
export async function addOlder(): Promise<Element | undefined | null> {
  const link = document.querySelector<HTMLAnchorElement>('#older, #further a')
  const page = link && (await pageAt(link.href).catch(() => null))
  if (!page?.getElementById('inbox')) return null
  // Two clicks ask for the same page twice.
  const added = [...page.querySelectorAll<HTMLElement>('#inbox > li')].filter(({ dataset }) => !rowOf(dataset.id ?? ''))
  list()?.append(...added)
  for (const part of ['#inbox-empty', '#further', '#ways']) takeOver(part, page)
  if (rows().length > 0) document.getElementById('inbox-empty')?.remove()
  return added[0]
}

function takeOver(part: string, page: Document): void {
  const later = page.querySelector(part)
  const mine = document.querySelector(part)
  if (later && mine) mine.replaceWith(later)
  else if (later) list()?.after(later)
  else mine?.remove()
}

/** The row below; at the end of the list, the first of its next page. @param apart rows that are passed over */
export async function nextRow(row: HTMLElement, apart: readonly HTMLElement[] = [row]): Promise<HTMLElement | null> {
  const all = rows()
  const at = all.indexOf(row)
  const below = all.slice(at + 1).find((other) => !apart.includes(other))
  if (below) return below
  const older = await addOlder()
  return (older as HTMLElement | undefined | null) ?? null
}

/** To the row below (1) or above (-1): while a lead is open, the one that is moved to opens. */
export async function move(by: number): Promise<void> {
  const all = rows()
  const from = currentRow()
  const above = from && all[all.indexOf(from) - 1]
  const row = from === null ? all[0] : by > 0 ? await nextRow(from) : above
  if (row && openLead() !== null) await openRow(row)
  else focusOn(row ?? null)
}

export const openRow = (row: HTMLElement): Promise<void> => {
  const { filters } = list()?.dataset ?? {}
  return showLead(`${linkOf(row)?.href}${filters ? `?${filters}` : ''}`, row)
}

/** @param row `null`: the lead is not in the list */
async function showLead(address: string, row: HTMLElement | null): Promise<void> {
  mark(row)
  row?.scrollIntoView({ block: 'nearest' })
  try {
    const page = await pageAt(address)
    // Meanwhile another may have been chosen.
    if (list()?.querySelector('a[aria-current]') !== linkOf(row)) return
    const content = page?.getElementById('lead-pane')
    if (page && content) showContent(page, { content, address })
    else if (page) location.assign(address)
    else {
      row?.remove()
      say('This lead is gone: somebody has removed it.')
      mark(rowOf(openLead() ?? ''))
    }
  } catch {
    say('There is no connection: try again.')
    mark(rowOf(openLead() ?? ''))
  }
}

function showContent(page: Document, { content, address }: { content: Element; address: string }): void {
  const isOther = new URL(address).pathname !== location.pathname
  if (isOther && openLead() === null) history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  const pane = leadPane()
  fillPane(content.childNodes, openLead())
  pane?.scrollTo(0, 0)
  document.title = page.title
  offerMoves()
  const heading = pane?.querySelector('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  if (pane && getComputedStyle(pane).position !== 'sticky') scrollTo(0, 0)
  document.dispatchEvent(new Event('lead'))
}

/** A note that is not saved yet waits at the row of its lead, until that lead is shown again. */
function fillPane(content: Iterable<Node>, id: string | null): void {
  const pane = leadPane()
  const note = () => pane?.querySelector<HTMLTextAreaElement>('#note')
  const left = rowOf(pane?.dataset.lead ?? '')
  if (left) left.dataset.note = note()?.value ?? ''
  pane?.replaceChildren(...content)
  pane?.setAttribute('data-lead', id ?? '')
  const kept = id === null ? '' : rowOf(id)?.dataset.note
  const field = note()
  if (field && kept) field.value = kept
}

/** Back to the list, at the row of the lead that was open. */
export function closeLead(): void {
  const { list: path = '', filters } = list()?.dataset ?? {}
  history.pushState(null, '', filters ? `${path}?${filters}` : path)
  close()
}

function offerMoves(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-move]')) button.hidden = false
}

function close(): void {
  const row = list()?.querySelector('a[aria-current]')?.closest('li') ?? null
  showNone()
  mark(null)
  document.title = document.querySelector<HTMLElement>('main')?.dataset.title ?? ''
  focusOn(row)
}

function showNone(): void {
  const words = document.createElement('p')
  words.className = 'hint'
  words.textContent = list()?.dataset.none ?? ''
  fillPane([words], null)
}

function mark(row: Element | null): void {
  for (const link of document.querySelectorAll('#inbox a[aria-current]')) link.removeAttribute('aria-current')
  linkOf(row)?.setAttribute('aria-current', 'true')
}

/** Opens a lead beside the list, and goes back to it, without a new page. */
function followLink(event: MouseEvent): void {
  const mover = (event.target as Element).closest<HTMLElement>('[data-move]')
  if (mover) void move(Number(mover.dataset.move))
  const link = (event.target as Element).closest('a')
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  if (!link || !list() || !isPlain || event.defaultPrevented) return
  const row = link.closest<HTMLElement>('#inbox > li')
  if (row) void openRow(row)
  else if (link.id === 'to-list') closeLead()
  else if (link.id === 'older') void addOlder().then((first) => focusOn(first ?? null))
  else return
  event.preventDefault()
}
