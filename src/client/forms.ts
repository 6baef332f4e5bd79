import type { CheckForm } from './check.ts'
import type { ReadConfiguration } from './config.ts'
import { applyDeclaration, type Fields, fieldsOf } from './fields.ts'
import { announce, thank } from './messages.ts'
import { formsPresent, idOf } from './page-forms.ts'
import { type Answer, noAnswer, post } from './post.ts'
import type { Site } from './site.ts'

/** Sends a form now: what `svc('submit', form)` does. */
export type SubmitForm = (form: HTMLFormElement, submitter?: HTMLElement | null) => Promise<void>

/**
 * Wires every form with `data-svc-form` (contract section 7, Forms), whenever it comes into the page: the listener
 * stands on the window, behind the page's own.
 */
export function wireForms(site: Site, configuration: ReadConfiguration, check: CheckForm): SubmitForm {
  /** After an accepted form. Operating systems take two clicks within half a second for a double click. */
  const secondClickMs = 1_000
  // By id, since a framework may put another element in a form's place while the form is under way.
  const underWay = new Set<string>()
  const seen = new WeakSet<HTMLFormElement>()

  /** Whether the account knows this page's origin; nobody has said before the first answer. */
  let isKnown: boolean | undefined

  /** Gives a form what it declares; one that is to be sent, also the token of its bot check. Whether it may be sent. */
  async function prepare(form: HTMLFormElement, fields?: Fields): Promise<boolean> {
    const settings = await configuration(idOf(form))
    const declaration = settings?.forms?.[idOf(form)] ?? {}
    isKnown = settings?.originAuthorised
    // Guarded: a declaration that makes no sense must not keep a form from being sent.
    site.guarded(applyDeclaration)(form, declaration)
    if (fields && !form.noValidate && !form.reportValidity()) return false
    if (settings && declaration.botCheckRequired) {
      const token = await check(form, settings.botCheck, !!fields)
      if (fields && token) fields['botcheck-response'] = token
    }
    return true
  }

  const submit: SubmitForm = async (form, submitter) => {
    const id = idOf(form)
    if (underWay.has(id)) return
    underWay.add(id)
    form.ariaBusy = 'true'
    let answer = noAnswer
    try {
      // What stands there as the visitor sends it: some pages empty a form right after.
      const fields = fieldsOf(site, form, submitter)
      if (!(await prepare(form, fields))) return
      answer = await post(`${site.origin}/_svc/f/${id}`, JSON.stringify(fields))
    } catch (error) {
      if (Array.isArray(error)) answer = error as Answer
      else site.say(`${error}`)
    } finally {
      form.ariaBusy = null
      // The second click of a double click may come after a quick answer, and would send the emptied form.
      setTimeout(() => underWay.delete(id), answer[0] === 200 ? secondClickMs : 0)
    }
    const shown = form.isConnected ? form : (formsPresent().find((other) => idOf(other) === id) ?? form)
    const [status, body, retryAfterSeconds] = answer
    if (status === 200) return accepted(shown, body)
    // A browser shows a page no answer to a refused origin; the runtime configuration has told.
    const error = body.error?.code
      ? body.error
      : { code: isKnown === false ? 'unknown_source' : 'unavailable', message: 'no answer' }
    site.say(`Form ${id}: ${error.message}`)
    announce(shown, error.code, retryAfterSeconds)
    tell(shown, 'refused', { ...error, status })
  }

  const look = () => {
    for (const form of formsPresent()) {
      if (!seen.has(form)) site.guarded(prepare)(form)
      seen.add(form)
    }
  }

  addEventListener(
    'submit',
    site.guarded((event: SubmitEvent) => {
      const form = event.target as HTMLFormElement
      // A page that has stopped the event sends the form itself, with svc('submit', form).
      if (!idOf(form) || event.defaultPrevented) return
      event.preventDefault()
      return submit(form, event.submitter)
    }),
  )
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
  look()
  return submit
}

function accepted(form: HTMLFormElement, body: Answer[1]): void {
  tell(form, 'accepted', body)
  if (body.redirectUrl) location.assign(body.redirectUrl)
  else thank(form)
  // Last, since in some forms `reset` is a button of that name, and this throws.
  form.reset()
}

const tell = (form: HTMLFormElement, outcome: string, detail: object): boolean =>
  form.dispatchEvent(new CustomEvent('svc:' + outcome, { bubbles: true, detail }))
