// A search that stopped for time goes on by itself, one page after the other, until the list is full.

/** As many rows as a page of the inbox shows. */
const rowsMax = 50

export function searchFurther(): void {
  const link = document.querySelector<HTMLAnchorElement>('#further a')
  const list = document.getElementById('inbox')
  if (!link || !list || list.childElementCount >= rowsMax) return
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
