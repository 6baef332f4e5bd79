import type { ReadConfiguration } from '../config.ts'
import type { Draft, LastChanges, SendDraft } from '../draft.ts'
import type { VisitorTexts } from '../languages/texts.ts'
import type { announce as Announce, tell as Tell } from '../messages.ts'
import { formsIn, idOf } from '../page-forms.ts'
import type { Answer, Post } from '../post.ts'
import type { Site } from '../site.ts'
import { formChecker } from './check.ts'
import { applySchema, type CheckedFields } from './declaration.ts'
import { fallbackTexts, type LoadedTexts } from './fallback-texts.ts'
import { assertFits, fault } from './faults.ts'
import { changedSince, fieldsOf, filesIn } from './fields.ts'
import { addHoneypot } from './honeypot.ts'
import { outcomeIn } from './outcome.ts'

/** What the script asks of this file. */
export interface Forms {
  send: SendDraft
  /** Gives the forms of a document or shadow root what they declare, now and when more of them come. */
  watch: (root: Document | ShadowRoot) => void
}

interface FormsParts {
  configuration: ReadConfiguration
  post: Post
  lastChanges: LastChanges
  announce: typeof Announce
  tell: typeof Tell
  /** In the visitor's language. */
  texts: Partial<VisitorTexts>
}

/**
 * The file `/_svc/f.js`, loaded where a page has a form of ours.
 *
 * Gives every form with `data-svc-form` what it declares, whenever it comes into the page, and sends those that the
 * script has caught (docs/script.md).
 */
export function wireForms(
  site: Site,
  { configuration, post, lastChanges, announce, tell, ...parts }: FormsParts,
): Forms {
  const texts: LoadedTexts = { ...fallbackTexts, ...parts.texts }
  const check = formChecker(site, texts)
  const outcome = outcomeIn(site, announce, texts)
  /** A pause after an accepted form. Operating systems take two clicks within half a second for a double click. */
  const secondClickMs = 1_000
  // By id, since a framework may replace a form's element while it is being sent.
  const underWay = new Set<string>()
  const seen = new WeakSet<HTMLFormElement>()
  const watched = new Set<ParentNode>()
  const checkedFields: CheckedFields = new WeakSet()
  /** Forms whose visitors know that files are not sent. */
  const withoutFiles = new WeakSet<HTMLFormElement>()

  /** A form's maximum content. No box accepts more; an account that accepts less says so when it refuses. */
  let bytesMax = 16_384
  /** Whether the account allows this page's origin; unknown before the first answer. */
  let isKnown: boolean | undefined

  /** Gives a form what it declares. */
  async function declare(form: HTMLFormElement) {
    const settings = await configuration(idOf(form))
    isKnown = settings?.originAuthorised
    const declaration = settings?.forms?.[idOf(form)] ?? {}
    // An invalid declaration must not keep a form from being sent.
    const constrain = () => site.guarded(applySchema)(form, declaration, { checkedFields, texts })
    constrain()
    if (declaration.honeypotFieldName) site.guarded(addHoneypot)(form, declaration.honeypotFieldName)
    return { botCheck: declaration.botCheckRequired && settings?.botCheck, constrain }
  }

  const prepare = site.guarded(async (form: HTMLFormElement) => {
    const { botCheck, constrain } = await declare(form)
    // Other fields may be shown now: declare before the visitor reaches them and before the browser validates.
    for (const type of ['focusin', 'click']) form.addEventListener(type, constrain, true)
    if (botCheck) await check(form, botCheck, false)
    if (form.querySelector('[type=file]')) site.say('Files are not sent: ' + idOf(form))
  })

  /** Sends the form's contents. `undefined`: the browser has told the visitor what to correct first. */
  async function attempt(draft: Draft): Promise<Answer | undefined> {
    const { form, submitter } = draft
    const isValid = () =>
      form.noValidate || (submitter as HTMLButtonElement | null)?.formNoValidate || form.reportValidity()
    const fits = () => {
      const fields = fieldsOf(draft, lastChanges)
      assertFits(fields, bytesMax)
      return fields
    }

    const { botCheck } = await declare(form)
    if (!isValid()) return
    const names = filesIn(draft)
    // Only once: whoever sends the form again wants the rest to be sent.
    if (names[0] && !withoutFiles.has(form)) {
      withoutFiles.add(form)
      throw fault('files', 'Files are not sent: ' + names)
    }
    let fields = fits()
    if (botCheck) {
      const token = await check(form, botCheck, true)
      // The visitor may have gone on typing.
      if (changedSince(draft, lastChanges).size && !isValid()) return
      fields = fits()
      if (token) fields['botcheck-response'] = token
    }
    const answer = await post(`${site.origin}/_svc/f/${idOf(form)}`, JSON.stringify(fields))
    // The box's own sentence.
    const [, limit] = /larger than the (\d+) bytes/.exec(`${answer[1].error?.message}`) ?? []
    if (limit) {
      bytesMax = +limit
      assertFits(fields, bytesMax)
    }
    return answer
  }

  function settle(form: HTMLFormElement, [status, body, seconds]: Answer): void {
    if (status === 200) {
      tell(form, 'accepted', body)
      if (body.redirectUrl) location.assign(body.redirectUrl)
      else outcome.thank(form)
      withoutFiles.delete(form)
      // In some forms, `reset` is a button of that name.
      HTMLFormElement.prototype.reset.call(form)
      return
    }
    // Browsers hide the answer to a refused origin, but the runtime configuration has told.
    const error = body.error?.code
      ? body.error
      : { code: isKnown === false ? 'unknown_source' : 'unavailable', message: 'no answer' }
    site.say(`Form ${idOf(form)}: ${error.message}`)
    outcome.announce(form, error.code, { ...error, seconds })
    tell(form, 'refused', { ...error, status })
  }

  const send: SendDraft = async (draft) => {
    const { form } = draft
    const id = idOf(form)
    if (underWay.has(id)) return
    underWay.add(id)
    form.setAttribute('aria-busy', 'true')
    outcome.clear(form)
    let answer: Answer | undefined
    try {
      answer = await attempt(draft)
    } catch (error) {
      answer = error as Answer
      if (!Array.isArray(error)) {
        site.say(`${error}`)
        answer = [0, {}, 0]
      }
    }
    form.removeAttribute('aria-busy')
    // The second click of a double click may come after a quick answer and would send the emptied form.
    setTimeout(() => underWay.delete(id), answer?.[0] === 200 ? secondClickMs : 0)
    if (!answer) return
    settle(
      form.isConnected ? form : ([...watched].flatMap(formsIn).find((other) => idOf(other) === id) ?? form),
      answer,
    )
  }

  const watch = (root: Document | ShadowRoot) => {
    if (watched.has(root)) return
    watched.add(root)
    const look = () => {
      for (const form of formsIn(root)) {
        if (!seen.has(form)) prepare(form)
        seen.add(form)
      }
    }
    new MutationObserver(look).observe(root, { childList: true, subtree: true })
    look()
  }

  return { send, watch }
}
