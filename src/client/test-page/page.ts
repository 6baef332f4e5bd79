import { element } from './board.ts'
import { type CheckState, summary } from './checks.ts'
import type { TestPageData } from './data.ts'

/** Puts the page around the checks into the document's `main`, which already names the account. */
export function showPage(data: TestPageData) {
  const main = document.querySelector('main') ?? document.body
  const title = element('h2')
  const says = element('p')
  const again = element('button', { type: 'button', class: 'again' }, 'Try again')
  const verdict = element('div', { class: 'verdict', role: 'status' }, title, says)
  const key = keyForm()
  const checks = element('div', { class: 'board' })
  main.append(element('div', { class: 'head' }, verdict, again), key.form, checks, remarks(data))

  const show = (tone: CheckState, titleText: string, text: string): void => {
    verdict.dataset.state = tone
    if (title.textContent !== titleText) title.textContent = titleText
    says.textContent = text
  }
  return {
    /** The place of the checks, with nothing in it. */
    emptied(): HTMLElement {
      checks.replaceChildren()
      return checks
    },
    summarise(states: CheckState[]): void {
      const found = summary(states, data.account.name)
      show(found.tone, found.title, found.says)
    },
    busy(isBusy: boolean): void {
      again.disabled = isBusy
    },
    broken: (text: string): void => show('failed', 'This cannot be tried', text),
    /** `null`: not stated. */
    trackingKey: () => key.value(),
    onRun(run: () => void): void {
      again.addEventListener('click', run)
      key.onGiven(run)
    },
  }
}

const keyPattern = /^svc_tk_[A-Za-z0-9]{32}$/

/**
 * Asks for the tracking key unless it stands after the address's `#`, which browsers never send to servers. It stays in
 * this page.
 */
function keyForm() {
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
  return {
    form,
    value: () => key,
    onGiven(run: () => void): void {
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        const typed = input.value.trim()
        fault.textContent = keyPattern.test(typed) ? '' : 'A tracking key is svc_tk_ and 32 letters and digits.'
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
  const ends = `This page works until ${until}. It sets nothing and stores nothing in your browser; the domains set their identity cookie, as they do for visitors.`
  return element('footer', {}, element('p', {}, marked), element('p', {}, ends))
}
