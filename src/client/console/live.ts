// New leads appear at the top of the inbox while somebody looks at it. A tab that nobody sees listens to nothing.

import { showState } from './rows.ts'

interface Row {
  id: string
  who: string
  words: string
  form: string
  at: string
  time: string
  marks: string[]
  /** `null`: whoever looks does not see states. */
  state: string | null
}

/** Older rows leave the page beyond so many. */
const rowsMax = 200

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
      show(JSON.parse(data), list, template)
    })
  }
  document.addEventListener('visibilitychange', listen)
  addEventListener('pagehide', () => source?.close())
  listen()
}

function show(row: Row, list: HTMLElement, template: HTMLTemplateElement): void {
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
  const field = item.querySelector<HTMLInputElement>('[name=submission]')
  if (field) field.value = row.id
  if (row.state) showState(item, row.state)
  for (const mark of row.marks) {
    const shown = document.createElement('span')
    shown.className = 'mark'
    shown.textContent = mark
    item.querySelector('.marks')?.append(' ', shown)
  }
  list.prepend(item)
  if (list.childElementCount > rowsMax) list.lastElementChild?.remove()
  document.getElementById('inbox-empty')?.remove()
  fill(document, '#inbox-news', `New: ${row.who}`)
}

function fill(within: ParentNode, selector: string, text: string): void {
  const place = within.querySelector(selector)
  if (place) place.textContent = text
}
