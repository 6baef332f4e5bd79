import type { CheckForm } from './check.ts'
import type { ReadConfiguration, RuntimeConfiguration } from './config.ts'
import { applyDeclaration, fieldsOf } from './fields.ts'
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
  // By id, since a framework may put another element in a form's place while the form is under way.
  const underWay = new Set<string>()
  const seen = new WeakSet<HTMLFormElement>()

  async function prepare(form: HTMLFormElement): Promise<RuntimeConfiguration | null> {
    const settings = await configuration(idOf(form))
    // Guarded: a declaration that makes no sense must not keep a form from being sent.
    site.guarded(applyDeclaration)(form, settings?.forms?.[idOf(form)] ?? {})
    return settings
  }

  const submit: SubmitForm = async (form, submitter) => {
    const id = idOf(form)
    if (underWay.has(id)) return
    underWay.add(id)
    form.ariaBusy = 'true'
    let settings: RuntimeConfiguration | null = null
    let answer = noAnswer
    try {
      // What stands there as the visitor sends it: some pages empty a form right after.
      const fields = fieldsOf(site, form, submitter)
      settings = await prepare(form)
      if (!form.noValidate && !form.reportValidity()) return
      const token = await check(form, settings, true)
      if (token) fields['botcheck-response'] = token
      answer = await post(`${site.origin}/_svc/f/${id}`, JSON.stringify(fields))
    } catch (error) {
      if (Array.isArray(error)) answer = error as Answer
      else site.say(`${error}`)
    } finally {
      underWay.delete(id)
      form.ariaBusy = null
    }
    const shown = form.isConnected ? form : (formsPresent().find((other) => idOf(other) === id) ?? form)
    settle(shown, answer, settings?.originAuthorised)
  }

  function settle(form: HTMLFormElement, [status, body, retryAfterSeconds]: Answer, known?: boolean): void {
    if (status === 200) {
      accepted(form, body)
      return
    }
    // A browser shows a page no answer to a refused origin; the runtime configuration has told.
    const error = body.error?.code
      ? body.error
      : { code: known === false ? 'unknown_source' : 'unavailable', message: 'no answer' }
    site.say(`Form ${idOf(form)}: ${error.message}`)
    announce(form, error.code, retryAfterSeconds)
    tell(form, 'refused', { ...error, status })
  }

  const look = () => {
    for (const form of formsPresent()) {
      if (!seen.has(form)) site.guarded(async () => check(form, await prepare(form)))()
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
