import {
  type CheckOutcome,
  type CheckState,
  domainChecks,
  type Exchange,
  formChecks,
  type Report,
  type Summary,
  summary,
} from './checks.ts'
import type { ConnectedDomain, TestPageData } from './data.ts'
import { AddressEnded } from './website.ts'

/** The places on the page for all checks of one domain. Its frame is hidden: it has nothing to show. */
export type DomainPlace = ReturnType<typeof buildBoard>[number]
/** Those of one of its forms; `shown`, the frame and what is said about it, is hidden until the frame shows a website. */
export type FormPlace = DomainPlace['forms'][number]

/** Tries everything, and shows the results at their places. @param trackingKey `null`: not stated */
type TryAll = (places: DomainPlace[], trackingKey: string | null) => Promise<void>

const ended = 'The address of this page has expired. Ask whoever sent it to you for a new one.'

/** Puts the page into the document's `main`, which already names the account, and tries everything, now and again when asked. */
export function showPage(data: TestPageData, tryAll: TryAll): Promise<void> {
  const title = element('h2')
  const says = element('p')
  const verdict = element('div', { class: 'verdict', role: 'status' }, title, says)
  const again = element('button', { type: 'button', class: 'again' }, 'Try again')
  const checks = element('div', { class: 'board' })
  const show = (found: Summary): void => {
    verdict.dataset.state = found.tone
    if (title.textContent !== found.title) title.textContent = found.title
    says.textContent = found.says
  }
  const run = async (): Promise<void> => {
    if (again.disabled) return
    again.disabled = true
    checks.replaceChildren()
    try {
      await tryAll(
        buildBoard(checks, data, (states) => show(summary(states, data.account.name))),
        key.value(),
      )
    } catch (error) {
      const says = error instanceof AddressEnded ? ended : `This page failed: ${error}`
      show({ title: 'This cannot be tried', tone: 'failed', says })
    } finally {
      again.disabled = false
    }
  }
  again.addEventListener('click', run)
  const key = keyForm(run)
  const head = element('div', { class: 'head' }, verdict, again)
  ;(document.querySelector('main') ?? document.body).append(head, key.form, checks, remarks(data))
  return run()
}

const keyPattern = /^svc_tk_[A-Za-z0-9]{32}$/

/**
 * Asks for the tracking key unless it stands after the address's `#`, which browsers never send to servers. It stays in
 * this page.
 */
function keyForm(onGiven: () => void) {
  const given = new URLSearchParams(location.hash.slice(1)).get('key') ?? ''
  let key = keyPattern.test(given) ? given : null
  const attributes = { id: 'key', name: 'key', autocomplete: 'off', spellcheck: 'false', placeholder: 'svc_tk_…' }
  const input = element('input', { ...attributes, 'aria-describedby': 'key-why key-fault' })
  const fault = element('p', { id: 'key-fault', role: 'alert' })
  const why =
    'Events are tried with it. It stands in the script tag of your website, as data-site-key, and stays in this page.'
  const form = element(
    'form',
    { class: 'key' },
    element('label', { for: 'key' }, 'Tracking key'),
    element('p', { id: 'key-why' }, why),
    element('div', {}, input, element('button', {}, 'Try events')),
    fault,
  )
  form.hidden = key !== null
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const typed = input.value.trim()
    fault.textContent = keyPattern.test(typed) ? '' : 'A tracking key is svc_tk_ and 32 letters and digits.'
    if (fault.textContent !== '') return
    key = typed
    onGiven()
  })
  return { form, value: () => key }
}

function remarks({ account, expiresAt, thirdPartyUrl }: TestPageData): HTMLElement {
  const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(expiresAt)
  const marked =
    thirdPartyUrl === null
      ? `What this page sends is marked as a test: it is counted nowhere and delivered nowhere. To read it on the box: capture export ${account.handle} submissions --test, and the same for events.`
      : `Your browser does not know the preview host ${new URL(thirdPartyUrl).hostname}, so this page stands on a connected domain. What it sends there is not marked as a test.`
  const ends = `This page works until ${until}. It sets nothing and stores nothing in your browser; the domains set their identity cookie, as they do for visitors.`
  return element('footer', {}, element('p', {}, marked), element('p', {}, ends))
}

/** Builds the places of all domains and their forms; `changed` is called with all states, now and with every result. */
function buildBoard(into: HTMLElement, { domains, forms }: TestPageData, changed: (states: CheckState[]) => void) {
  const states: CheckState[] = []
  const group = <Checks extends object>(titles: Checks) => {
    const list = element('ol', { class: 'checks' })
    const rows = new Map<keyof Checks, (outcome: CheckOutcome) => void>()
    for (const [id, title] of Object.entries(titles)) {
      const row = checkRow(title)
      const place = states.push('waiting') - 1
      rows.set(id as keyof Checks, (outcome) => {
        row.show(outcome)
        states[place] = outcome.state
      })
      list.append(row.element)
    }
    const report: Report<Checks> = (ids, outcome) => {
      for (const id of [ids].flat() as (keyof Checks)[]) rows.get(id)?.(outcome)
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

/** A check on the page: what it is, how it went, what to do, and what was sent. */
function checkRow(title: string) {
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
  return { element: row, show }
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

/** Makes elements of a document with their attributes and children. Text is text: nothing here becomes markup. */
export const elementsOf =
  (document: Document) =>
  <Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    attributes: Record<string, string> = {},
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[Tag] => {
    const made = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    made.append(...children)
    return made
  }

export type MakeElement = ReturnType<typeof elementsOf>

export const element = elementsOf(document)
