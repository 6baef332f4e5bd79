import type { InboxRow } from './inbox-row.ts'
import { addToCount, fill, offer, showState } from './lead-rows.ts'
import { list, rows } from './panes.ts'

// New leads appear at the top of the list while somebody looks at it. A tab that nobody sees listens to nothing.

/** Older rows leave the page beyond so many. */
const liveRowsMax = 1000
/** The box says something at least every six seconds. */
const silentMsMax = 12_000

export function followInbox(): void {
  const inbox = list()
  const path = inbox?.dataset.live
  const template = document.getElementById('inbox-row') as HTMLTemplateElement | null
  if (!inbox || !path || !template) return
  let after = inbox.dataset.after ?? ''
  let source: EventSource | null = null
  let silence: ReturnType<typeof setTimeout> | undefined
  const leave = (): void => {
    source?.close()
    clearTimeout(silence)
  }
  const listen = (): void => {
    leave()
    if (document.hidden) return
    source = new EventSource(`${path}&after=${after}`)
    source.addEventListener('open', heard)
    source.addEventListener('alive', heard)
    source.addEventListener('ended', () => {
      leave()
      showLive('ended')
    })
    source.addEventListener('lead', ({ data, lastEventId }) => {
      after = lastEventId
      heard()
      showLead(JSON.parse(data), inbox, template)
    })
    silence = setTimeout(lost, silentMsMax)
  }
  const heard = (): void => {
    clearTimeout(silence)
    silence = setTimeout(lost, silentMsMax)
    showLive('now')
  }
  // The browser connects again by itself, but not to a box that refuses, nor over a connection that fell silent.
  const lost = (): void => {
    showLive('lost')
    listen()
  }
  document.addEventListener('visibilitychange', listen)
  addEventListener('pagehide', leave)
  addEventListener('online', listen)
  addEventListener('offline', lost)
  listen()
}

type Liveness = 'now' | 'lost' | 'ended'

function showLive(liveness: Liveness): void {
  const place = document.getElementById('live')
  if (!place || place.classList.contains(liveness)) return
  place.className = `meta ${liveness}`
  place.textContent = place.dataset[liveness] ?? ''
}

function showLead(lead: InboxRow, inbox: HTMLElement, template: HTMLTemplateElement): void {
  const item = (template.content.cloneNode(true) as DocumentFragment).querySelector('li')
  const link = item?.querySelector('a')
  if (!item || !link) return
  // Not `href`: a template's links have no base to be resolved against.
  const path = `${link.getAttribute('href')}${lead.id}`
  if (inbox.querySelector(`a[href="${path}"]`)) return
  link.setAttribute('href', path)
  item.dataset.id = lead.id
  item.dataset.day = lead.day
  fill(item, '.who bdi', lead.who)
  fill(item, '.gist bdi', lead.words)
  fill(item, '.form', lead.form)
  fill(item, '.source', lead.source)
  fill(item, '.date', lead.date)
  fill(item, '.clock', lead.clock)
  item.querySelector('time')?.setAttribute('datetime', lead.at)
  // The row was made as one of a new lead.
  if (!lead.isRefused) addToCount('new', 1)
  fillWork(item, lead)
  for (const mark of lead.marks) {
    const shown = document.createElement('span')
    shown.className = 'mark'
    shown.textContent = mark
    item.querySelector('.marks')?.append(' ', shown)
  }
  inbox.prepend(item)
  addToCount(lead.isRefused ? 'refused' : 'accepted', 1)
  if (inbox.childElementCount > liveRowsMax) rows().at(-1)?.remove()
  document.getElementById('inbox-empty')?.remove()
  fill(
    document,
    '#inbox-news',
    `${document.getElementById('inbox-news')?.dataset.new ?? 'New'}: ${lead.who || lead.words}`,
  )
}

/** What users see who work on leads. */
function fillWork(item: HTMLElement, { id, who, state, isRefused }: InboxRow): void {
  const field = item.querySelector<HTMLInputElement>('[name=submission]')
  if (field) field.value = id
  const box = item.querySelector<HTMLInputElement>('.pick input')
  if (box) box.name += id
  for (const place of item.querySelectorAll('.pick bdi, form .unseen bdi')) place.textContent = who
  if (isRefused) offer(item, true)
  if (state && state !== item.dataset.state) showState(item, state)
}
