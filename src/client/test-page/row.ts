import type { CheckOutcome, CheckState } from './check.ts'
import { element } from './element.ts'
import type { Exchange } from './exchange.ts'

/** A check on the page: what it is, how it went, what to do, and what was sent. */
export interface Row {
  element: HTMLElement
  state(): CheckState
  show(result: CheckOutcome): void
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

export function checkRow(title: string): Row {
  const word = element('span', { class: 'word' })
  const body = element('div', { class: 'found' })
  const row = element('li', { class: 'check' }, element('h4', {}, title), word, body)
  let now: CheckState = 'waiting'
  const show = (result: CheckOutcome): void => {
    now = result.state
    row.dataset.state = result.state
    word.textContent = words[result.state]
    const isQuiet = result.state === 'waiting' || result.state === 'running'
    body.replaceChildren(...(isQuiet ? [] : foundParts(result)))
  }
  show({ state: 'waiting', says: '' })
  return { element: row, state: () => now, show }
}

function foundParts({ says, todo, line, exchanges = [] }: CheckOutcome): Node[] {
  const parts: Node[] = [element('p', {}, says)]
  if (todo !== undefined) parts.push(element('p', { class: 'todo' }, todo))
  if (line !== undefined) parts.push(lineToCopy(line))
  if (exchanges.length > 0) parts.push(details(exchanges))
  return parts
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

function details(exchanges: Exchange[]): HTMLElement {
  const summary = element('summary', {}, exchanges.length === 1 ? 'Request and answer' : 'Requests and answers')
  const shown = exchanges.flatMap((exchange) => [
    labelled('Request', requestText(exchange)),
    labelled('Answer', answerText(exchange)),
  ])
  return element('details', {}, summary, ...shown)
}

const labelled = (label: string, text: string): HTMLElement =>
  element('figure', {}, element('figcaption', {}, label), element('pre', { tabindex: '0' }, text))

function requestText({ method, url, headers, body }: Exchange): string {
  const head = [`${method} ${url}`, ...headers.map(headerText)].join('\n')
  return body === null ? head : `${head}\n\n${readable(body)}`
}

function answerText({ answer, error }: Exchange): string {
  if (answer === null) return `None that the browser shows: ${error ?? 'still under way'}`
  const { status, headers, body } = answer
  const isScript = headers.some(([name, value]) => name === 'content-type' && value.includes('javascript'))
  return [`${status}`, ...headers.map(headerText), '', isScript ? '(the script)' : readable(body)].join('\n')
}

const headerText = ([name, value]: [string, string]): string => `${name}: ${value}`

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
