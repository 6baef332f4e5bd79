import { type CheckOutcome, type CheckState, domainChecks, type Exchange, formChecks, type Report } from './checks.ts'
import type { ConnectedDomain, TestPageData } from './data.ts'

/** The places on the page for all checks of one domain. Its frame is hidden: it has nothing to show. */
export type DomainPlace = ReturnType<typeof buildBoard>[number]
/** Those of one of its forms; `shown`, the frame and what is said about it, is hidden until the frame shows a website. */
export type FormPlace = DomainPlace['forms'][number]

/** Builds the places of all domains and their forms; `changed` is called with all states, now and with every result. */
export function buildBoard(
  into: HTMLElement,
  { domains, forms }: TestPageData,
  changed: (states: CheckState[]) => void,
) {
  const states: CheckState[] = []
  const group = <Checks extends object>(titles: Checks) => {
    const list = element('ol', { class: 'checks' })
    const rows = new Map<unknown, ReturnType<typeof checkRow>>()
    for (const [id, title] of Object.entries(titles)) {
      const row = checkRow(title, states.push('waiting') - 1)
      rows.set(id, row)
      list.append(row.element)
    }
    const report: Report<Checks> = (id, outcome) => {
      const row = rows.get(id)
      row?.show(outcome)
      if (row) states[row.place] = outcome.state
      changed(states)
    }
    return { list, report }
  }

  const places = domains.map((domain) => {
    const { list, report } = group(domainChecks)
    const frame = element('iframe', { hidden: '', title: `A website with the script of ${domain.host}` })
    const heading = element('h2', { class: 'host' }, domain.host)
    const part = element('div', { class: 'part' }, element('h3', {}, 'Script and events'), list)
    const section = element('section', {}, heading, part, frame)
    into.append(section)
    return {
      domain,
      frame,
      report,
      forms: forms.map((form) => formPlace(section, form, { domain, ...group(formChecks) })),
    }
  })
  changed(states)
  return places
}

function formPlace(
  section: HTMLElement,
  form: TestPageData['forms'][number],
  { domain, list, report }: { domain: ConnectedDomain; list: HTMLElement; report: Report<typeof formChecks> },
) {
  const frame = element('iframe', { title: `The form “${form.name}” on ${domain.host}` })
  const words = 'As a visitor sees it. Change what you like, and send it again.'
  const shown = element('div', { class: 'shown', hidden: '' }, frame, element('p', { class: 'caption' }, words))
  const kind = element('span', { class: 'kind' }, 'Form')
  const heading = element('h3', { 'data-name': form.name }, kind, ` ${form.name} `, element('code', {}, form.id))
  section.append(element('div', { class: 'part form' }, heading, list, shown))
  return { form, frame, shown, report }
}

/** What a state is called. */
const words: Record<CheckState, string> = {
  waiting: 'Not yet tried',
  running: 'Trying',
  passed: 'Works',
  note: 'Worth knowing',
  failed: 'Does not work',
  asks: 'Your turn',
  skipped: 'Not tried',
}

/** A check on the page: what it is, how it went, what to do, and what was sent. @param place among all states */
function checkRow(title: string, place: number) {
  const word = element('span', { class: 'word' })
  const body = element('div', { class: 'found' })
  const row = element('li', { class: 'check' }, element('h4', {}, title), word, body)
  const show = (outcome: CheckOutcome): void => {
    const { state, says, todo, line, exchange } = outcome
    row.dataset.state = state
    word.textContent = words[state]
    body.replaceChildren()
    if (state === 'waiting' || state === 'running') return
    body.append(element('p', {}, says))
    if (todo !== undefined) body.append(element('p', { class: 'todo' }, todo))
    if (line !== undefined) body.append(lineToCopy(line))
    if (exchange) body.append(details(exchange))
  }
  show({ state: 'waiting', says: '' })
  return { element: row, place, show }
}

function lineToCopy(line: string): HTMLElement {
  const block = element('div', { class: 'line' }, element('code', {}, line))
  // Missing outside a secure context.
  if (!navigator.clipboard) return block
  const button = element('button', { type: 'button', 'aria-label': `Copy the line ${line}` }, 'Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(line)
    button.textContent = 'Copied'
  })
  block.append(button)
  return block
}

function details({ method, url, headers, body, answer, error }: Exchange): HTMLElement {
  const isScript = answer?.headers.some(([name, value]) => name === 'content-type' && value.includes('javascript'))
  const shown = answer && (isScript ? '(the script)' : answer.body)
  return element(
    'details',
    {},
    element('summary', {}, 'Request and answer'),
    message('Request', `${method} ${url}`, headers, body),
    answer
      ? message('Answer', `${answer.status}`, answer.headers, shown)
      : message('Answer', `None that the browser shows: ${error ?? 'still under way'}`, [], null),
  )
}

function message(label: string, first: string, headers: Exchange['headers'], body: string | null): HTMLElement {
  const head = [first, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n')
  const text = body === null ? head : `${head}\n\n${readable(body)}`
  return element('figure', {}, element('figcaption', {}, label), element('pre', { tabindex: '0' }, text))
}

/** Formats JSON and shortens long texts, such as a bot check's proof; leaves anything else as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_name, value) => (typeof value === 'string' ? cut(value) : value), 2)
  } catch {
    return text
  }
}

const shownCharactersMax = 120

const cut = (text: string): string =>
  text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax / 2)}… (${text.length} characters)`

/** An element with its attributes and children. Text is text: nothing here becomes markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}
