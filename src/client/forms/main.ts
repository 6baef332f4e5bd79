import type { ReadConfiguration } from '../config.ts'
import type { SendDraft } from '../draft.ts'
import { formsIn, idOf } from '../page-forms.ts'
import type { Answer, Post } from '../post.ts'
import type { Site } from '../site.ts'
import { formChecker } from './check.ts'
import { applyDeclaration, type Fields, fieldsOf } from './fields.ts'
import { announce, thank } from './messages.ts'

/** What the script asks of this file. */
export interface Forms {
  send: SendDraft
  /** Gives the forms of a document or shadow root what they declare, now and when more of them come. */
  watch: (root: Document | ShadowRoot) => void
}

/**
 * The file `/_svc/f.js`, loaded where a page has a form of ours.
 *
 * Gives every form with `data-svc-form` what it declares, whenever it comes into the page, and sends those that the
 * script has caught (contract section 7, Forms).
 */
export function wireForms(site: Site, configuration: ReadConfiguration, post: Post): Forms {
  const check = formChecker(site)
  /** After an accepted form. Operating systems take two clicks within half a second for a double click. */
  const secondClickMs = 1_000
  // By id, since a framework may put another element in a form's place while the form is under way.
  const underWay = new Set<string>()
  const seen = new WeakSet<HTMLFormElement>()
  const watched = new Set<ParentNode>()

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

  const send: SendDraft = async ({ form, submitter, data }) => {
    const id = idOf(form)
    if (underWay.has(id)) return
    underWay.add(id)
    form.setAttribute('aria-busy', 'true')
    let answer: Answer = [0, {}, 0]
    try {
      const fields = fieldsOf(site, data, submitter)
      if (!(await prepare(form, fields))) return
      answer = await post(`${site.origin}/_svc/f/${id}`, JSON.stringify(fields))
    } catch (error) {
      if (Array.isArray(error)) answer = error as Answer
      else site.say(`${error}`)
    } finally {
      form.removeAttribute('aria-busy')
      // The second click of a double click may come after a quick answer, and would send the emptied form.
      setTimeout(() => underWay.delete(id), answer[0] === 200 ? secondClickMs : 0)
    }
    const shown = form.isConnected ? form : ([...watched].flatMap(formsIn).find((other) => idOf(other) === id) ?? form)
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

  const watch = (root: Document | ShadowRoot) => {
    if (watched.has(root)) return
    watched.add(root)
    const look = () => {
      for (const form of formsIn(root)) {
        if (!seen.has(form)) site.guarded(prepare)(form)
        seen.add(form)
      }
    }
    new MutationObserver(look).observe(root, { childList: true, subtree: true })
    look()
  }

  return { send, watch }
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
