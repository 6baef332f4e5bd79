import type { ReadConfiguration, RuntimeConfiguration } from './config.ts'
import { applyDeclaration, fieldsOf } from './fields.ts'
import { announce, thank } from './messages.ts'
import { type Answer, post } from './post.ts'
import type { Site } from './site.ts'

/** Sends a form now: what `svc('submit', form)` does. */
export type SubmitForm = (form: HTMLFormElement, submitter?: HTMLElement | null) => Promise<void>

/** The ids of the forms that stand in the page now; the service counts a repeated one once. */
export const formIdsPresent = (): string[] => formsPresent().map(idOf)

/**
 * Wires every form with `data-svc-form` (contract section 7, Forms), one that is added later when it is sent: the
 * listener stands on the document.
 */
export function wireForms(site: Site, configuration: ReadConfiguration): SubmitForm {
  async function prepare(form: HTMLFormElement): Promise<RuntimeConfiguration | null> {
    const settings = await configuration(idOf(form))
    const declaration = settings?.forms[idOf(form)]
    if (declaration) applyDeclaration(form, declaration)
    return settings
  }

  const submit: SubmitForm = async (form, submitter) => {
    // Single-flight: the mark that tells a screen reader tells us too.
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    try {
      const settings = await prepare(form)
      if (!form.noValidate && !form.reportValidity()) return
      const answer = await post(`${site.origin}/_svc/f/${idOf(form)}`, fieldsOf(site, form, submitter))
      if (answer[0] === 200) accepted(form, answer)
      else refused(form, answer, settings?.originAuthorised)
    } finally {
      form.ariaBusy = null
    }
  }

  function refused(form: HTMLFormElement, [status, body, retryAfterSeconds]: Answer, known?: boolean): void {
    const error = body.error ?? { code: known === false ? 'unknown_source' : 'unavailable', message: 'no answer' }
    site.say(`Form ${idOf(form)}: ${error.message}`)
    announce(form, error.code, retryAfterSeconds)
    tell(form, 'refused', { ...error, status })
  }

  document.addEventListener(
    'submit',
    site.guarded((event: SubmitEvent) => {
      const form = event.target as HTMLFormElement
      // A page that has stopped the event sends the form itself, with svc('submit', form).
      if (!idOf(form) || event.defaultPrevented) return
      event.preventDefault()
      return submit(form, event.submitter)
    }),
  )
  for (const form of formsPresent()) site.guarded(prepare)(form)
  return submit
}

function accepted(form: HTMLFormElement, [, body]: Answer): void {
  tell(form, 'accepted', body)
  if (body.redirectUrl) location.assign(body.redirectUrl)
  else thank(form)
  // Last, since in some forms `reset` is a button of that name, and this throws.
  form.reset()
}

const tell = (form: HTMLFormElement, outcome: string, detail: object): boolean =>
  form.dispatchEvent(new CustomEvent('svc:' + outcome, { bubbles: true, detail }))

const formsPresent = () => [...document.querySelectorAll<HTMLFormElement>('form[data-svc-form]')]

const idOf = (form: HTMLFormElement): string => form.dataset.svcForm ?? ''
