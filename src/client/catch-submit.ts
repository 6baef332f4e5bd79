import type { Draft, DraftOf, SendDraft } from './draft.ts'
import { idOf } from './page-forms.ts'
import type { Site } from './site.ts'

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
export function catchSubmits(site: Site, { draftOf, send, found }: CatchParts): void {
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
