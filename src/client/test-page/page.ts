import type { CheckState } from './check.ts'
import type { TestPageData } from './data.ts'
import { element } from './element.ts'
import { isTrackingKey } from './key.ts'
import { summary } from './summary.ts'

/** The page around the checks. */
export interface Page {
  /** The place of the checks, with nothing in it. */
  emptied(): HTMLElement
  summarise(states: CheckState[]): void
  busy(isBusy: boolean): void
  broken(text: string): void
  /** `null`: not stated. */
  trackingKey(): string | null
  onRun(run: () => void): void
}

/** Puts the page into the document's `main`, which already names the account. */
export function showPage(data: TestPageData, keyInAddress: string | null): Page {
  const main = document.querySelector('main') ?? document.body
  const title = element('h2')
  const says = element('p')
  const again = element('button', { type: 'button', class: 'again' }, 'Try again')
  const verdict = element('div', { class: 'verdict', role: 'status' }, title, says)
  const key = keyForm(keyInAddress)
  const checks = element('div', { class: 'board' })
  main.append(element('div', { class: 'head' }, verdict, again), key.form, checks, remarks(data))

  const show = (tone: CheckState, titleText: string, text: string): void => {
    verdict.dataset.state = tone
    if (title.textContent !== titleText) title.textContent = titleText
    says.textContent = text
  }
  return {
    emptied() {
      checks.replaceChildren()
      return checks
    },
    summarise(states) {
      const found = summary(states, data.account.name)
      show(found.tone, found.title, found.says)
    },
    busy(isBusy) {
      again.disabled = isBusy
    },
    broken: (text) => show('failed', 'This cannot be tried', text),
    trackingKey: () => key.value(),
    onRun(run) {
      again.addEventListener('click', run)
      key.onGiven(run)
    },
  }
}

/** Asks for the tracking key if the address does not contain it. It stays in this page. */
function keyForm(given: string | null) {
  const input = element('input', {
    id: 'key',
    name: 'key',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'svc_tk_…',
  })
  const fault = element('p', { id: 'key-fault', role: 'alert' })
  const form = element(
    'form',
    { class: 'key' },
    element('label', { for: 'key' }, 'Tracking key'),
    element(
      'p',
      { id: 'key-why' },
      'Events are tried with it. It stands in the script tag of your website, as data-site-key, and stays in this page.',
    ),
    element('div', {}, input, element('button', {}, 'Try events')),
    fault,
  )
  input.setAttribute('aria-describedby', 'key-why key-fault')
  form.hidden = given !== null
  let key = given
  return {
    form,
    value: () => key,
    onGiven(run: () => void) {
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        const typed = input.value.trim()
        fault.textContent = isTrackingKey(typed) ? '' : 'A tracking key is svc_tk_ and 32 letters and digits.'
        if (fault.textContent !== '') return
        key = typed
        run()
      })
    },
  }
}

function remarks({ account, expiresAt, thirdPartyUrl }: TestPageData): HTMLElement {
  const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(expiresAt)
  const marked =
    thirdPartyUrl === null
      ? `What this page sends is marked as a test: it is counted nowhere and delivered nowhere. To read it on the box: capture export ${account.handle} submissions --test, and the same for events.`
      : `Your browser does not know the preview host ${new URL(thirdPartyUrl).hostname}, so this page stands on a connected domain. What it sends there is not marked as a test.`
  return element(
    'footer',
    {},
    element('p', {}, marked),
    element(
      'p',
      {},
      `This page works until ${until}. It sets nothing and stores nothing in your browser; the domains set their identity cookie, as they do for visitors.`,
    ),
  )
}
