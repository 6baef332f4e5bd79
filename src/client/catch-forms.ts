import type { Forms } from './forms/main.ts'
import {
  announce,
  type Draft,
  type DraftOf,
  formPrototype,
  formsIn,
  idOf,
  type LastChanges,
  type SendDraft,
  tell,
} from './page-forms.ts'
import { post, type ReadConfiguration } from './requests.ts'
import type { Site } from './site.ts'
import type { VisitorTexts } from './visitor-texts.ts'

/** Sends a form now: what `svc('submit', form)` does. Throws for the console. */
type SubmitForm = (form: HTMLFormElement, submitter?: HTMLElement | null) => void | Promise<void>

/** How long a visitor who has sent a form waits for the file that sends it. */
const loadMsMax = 15_000

/**
 * Catches every submit of a form with `data-svc-form`, holds it until `/_svc/f.js` has loaded, and hands it over
 * (decisions, 29). If the file does not load, the visitor is told, and what they typed stays.
 */
export function catchForms(site: Site, configuration: ReadConfiguration): SubmitForm {
  let loading: Promise<Forms> | undefined
  let tries = 0
  let changes = 0
  const lastChanges: LastChanges = new WeakMap()

  /** Some browsers remember a failed import by its address, so each retry has its own. */
  const load = () => {
    loading ??= Promise.race([
      Promise.all([import(site.origin + '/_svc/f.js' + (tries++ ? '?' + tries : '')), visitorTexts(site)]),
      new Promise<never>((_, reject) => setTimeout(reject, loadMsMax, 'Forms: f.js did not arrive')),
    ])
      .then(([{ wireForms }, texts]) => wireForms(site, { configuration, post, lastChanges, announce, tell, texts }))
      .catch((reason) => {
        loading = undefined
        throw reason
      })
    return loading
  }

  const send: SendDraft = async (draft) => {
    let forms: Forms
    try {
      forms = await load()
    } catch (error) {
      site.say(`${error}`)
      return tellUnsent(draft.form)
    }
    return forms.send(draft)
  }

  /** Loads the file before the first submit if one of our forms is in the document or a shadow root. */
  const look = site.guarded(async (root: Document | ShadowRoot) => {
    if (!formsIn(root)[0]) return
    observer.disconnect()
    ;(await load()).watch(root)
  })
  const observer = new MutationObserver(() => look(document))
  observer.observe(document, { childList: true, subtree: true })
  look(document)

  // Read at once: some pages empty a form right after it was sent.
  const draftOf: DraftOf = (form, submitter) => ({ form, submitter, data: new FormData(form), change: changes })
  addEventListener('input', (event) => lastChanges.set(event.composedPath()[0] as EventTarget, ++changes), true)
  catchSubmits(site, { draftOf, send: site.guarded(send), found: look })

  return (form, submitter) => {
    if (!(form instanceof HTMLFormElement && idOf(form))) throw "svc('submit', form) needs a form with data-svc-form"
    return send(draftOf(form, submitter))
  }
}

/** What `/_svc/f.js` says when there is no answer. */
function tellUnsent(form: HTMLFormElement): void {
  const text = formPrototype.getAttribute.call(form, 'data-svc-message-unavailable')
  announce(form, 'alert', text ?? 'Sorry, it could not be sent. Please try again.')
  tell(form, 'refused', { code: 'unavailable', message: 'no answer', status: 0 })
}

/**
 * Texts for visitors in the language of the script tag's `data-lang`, or else of the page; empty if not available. Where
 * neither names a language that the box speaks, it answers in the account's own.
 */
async function visitorTexts({ origin, data }: Site): Promise<Partial<VisitorTexts>> {
  const [language] = /[a-z]+/.exec((data.lang || document.documentElement.lang).toLowerCase()) ?? ['own']
  try {
    return (await import(`${origin}/_svc/l/${language}.js`)).texts
  } catch {
    return {}
  }
}

/**
 * Marks an event that one of our scripts has seen, of this account or another, so that only the first sends the form.
 */
type SeenSubmit = SubmitEvent & { svc?: boolean }

interface CatchParts {
  draftOf: DraftOf
  send: SendDraft
  /** Called with each shadow root that gets a listener. */
  found: (root: ShadowRoot) => void
}

/**
 * Catches submits of forms with `data-svc-form` and hands each over after the page's own listeners, whatever these
 * stop. A page that calls `preventDefault()` sends the form itself, with `svc('submit', form)`.
 *
 * A submit does not leave its shadow root, so every open root gets a listener when a visitor first interacts with it.
 */
function catchSubmits(site: Site, { draftOf, send, found }: CatchParts): void {
  const roots = new WeakSet<EventTarget>()
  /** For browsers whose submit events do not name the button. */
  let clicked: HTMLElement | null = null

  const caught = site.guarded((event: SeenSubmit) => {
    const { currentTarget, submitter = clicked } = event
    const form = event.target as HTMLFormElement
    if (idOf(form) == null || event.svc || submitter?.getAttribute('formmethod') === 'dialog') return
    event.svc = true
    let draft: Draft | null = null
    const prevent = event.preventDefault.bind(event)

    /** Runs last, or just before a listener hides the event from later ones. */
    const take = () => {
      if (event.defaultPrevented) return
      prevent()
      draft = draftOf(form, submitter)
    }
    event.preventDefault = () => {
      prevent()
      draft = null
    }
    for (const name of ['stopPropagation', 'stopImmediatePropagation'] as const) {
      const stop = event[name].bind(event)
      event[name] = () => {
        take()
        stop()
      }
    }
    currentTarget?.addEventListener('submit', take)
    setTimeout(() => {
      currentTarget?.removeEventListener('submit', take)
      if (draft) send(draft)
    })
  })

  const reached = site.guarded((event: Event) => {
    const path = event.composedPath()
    if (event.type === 'click') {
      // A page may have clicked the document itself.
      clicked = (path[0] as Element).closest?.('button,input')
      setTimeout(() => {
        clicked = null
      })
    }
    for (const node of path) {
      if (!(node instanceof ShadowRoot) || roots.has(node)) continue
      roots.add(node)
      node.addEventListener('submit', caught as EventListener, true)
      found(node)
    }
  })

  addEventListener('submit', caught, true)
  addEventListener('click', reached, true)
  addEventListener('focusin', reached, true)
}
