import type { BotCheckOfAccount, BotChecks } from '../bot-check/widget.ts'
import type { Uploads } from '../files/main.ts'
import {
  type announce as Announce,
  type Draft,
  formPrototype,
  formsIn,
  idOf,
  isInPage,
  type LastChanges,
  type SendDraft,
  type tell as Tell,
} from '../page-forms.ts'
import type { Answer, FormConfiguration, Post, ReadConfiguration } from '../requests.ts'
import type { Site } from '../site.ts'
import type { VisitorTexts } from '../visitor-texts.ts'
import { addHoneypot, applySchema, type FieldMessages } from './declaration.ts'
import { changedSince, fault, fieldsOf, filesIn, fitting, lock } from './fields.ts'
import { fallbackTexts, type LoadedTexts, outcomeIn } from './outcome.ts'

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
  const declarations = new WeakMap<HTMLFormElement, FormConfiguration>()
  const watched = new Set<ParentNode>()
  const messages: FieldMessages = new WeakMap()
  /** Forms whose visitors know that files are not sent. */
  const withoutFiles = new WeakSet<HTMLFormElement>()

  let uploads: Uploads | undefined

  /** A form's maximum content. No box accepts more; an account that accepts less says so when it refuses. */
  let bytesMax = 16_384
  /** Whether the account allows this page's origin; unknown before the first answer. */
  let isKnown: boolean | undefined

  /** Gives a form what it declares. */
  async function declare(form: HTMLFormElement) {
    const settings = await configuration(idOf(form))
    isKnown = settings?.originAuthorised
    const declaration = settings?.forms?.[idOf(form)] ?? {}
    // Without an answer, what an earlier one declared still holds.
    if (settings) declarations.set(form, declaration)
    constrain(form)
    if (declaration.honeypotFieldName) site.guarded(addHoneypot)(form, declaration.honeypotFieldName)
    return declaration.botCheckRequired && settings?.botCheck
  }

  /** An invalid declaration must not keep a form from being sent. */
  const constrain = site.guarded((form: HTMLFormElement) => {
    const declaration = declarations.get(form) ?? {}
    applySchema(form, declaration, { messages, texts })
    if (declaration.files) uploads?.judge(form, declaration.files)
  })

  /** Loads what files need with the first form that takes some. */
  async function loadUploads(form: HTMLFormElement) {
    const { files } = declarations.get(form) ?? {}
    if (files) uploads ??= (await import(site.origin + '/_svc/u.js')).fileUploads(site.origin, texts) as Uploads
    return files
  }

  const prepare = site.guarded(async (form: HTMLFormElement) => {
    const botCheck = await declare(form)
    if (botCheck) await check(form, botCheck, false)
    if (await loadUploads(form)) constrain(form)
    else if (formPrototype.querySelector.call(form, '[type=file]')) site.say('Files are not sent: ' + idOf(form))
  })

  /** Sends the form's contents. `undefined`: the browser has told the visitor what to correct first. */
  async function attempt(draft: Draft): Promise<Answer | undefined> {
    const { form, submitter } = draft
    const isValid = () =>
      formPrototype.hasAttribute.call(form, 'novalidate') ||
      (submitter as HTMLButtonElement | null)?.formNoValidate ||
      formPrototype.reportValidity.call(form)
    const fields = () => fitting(fieldsOf(draft, lastChanges), bytesMax)

    const botCheck = await declare(form)
    if (!isValid()) return
    const rules = (await loadUploads(form)) ?? {}
    const names = filesIn(draft).filter((name) => !rules[name])
    // Only once: whoever sends the form again wants the rest to be sent.
    if (names[0] && !withoutFiles.has(form)) {
      withoutFiles.add(form)
      throw fault('files', 'Files are not sent: ' + names)
    }
    fields()
    const solve = async () => (botCheck ? check(form, botCheck, true) : undefined)
    const files = isKnown === false ? undefined : await uploads?.send(draft, rules, solve)
    // One solved check lets in the files and the form.
    const token = !files && (await solve())
    // The visitor may have gone on typing.
    if (changedSince(draft, lastChanges).size && !isValid()) return
    const content = fields()
    if (token) content['botcheck-response'] = token
    const unlock = lock(form)
    const answer = await post(site.origin + '/_svc/f/' + idOf(form), JSON.stringify({ ...content, ...files?.fields }))
    unlock()
    // The box's own sentence.
    const [, limit] = /larger than the (\d+) bytes/.exec(`${answer[1].error?.message}`) ?? []
    if (limit) {
      bytesMax = +limit
      fitting(content, bytesMax)
    }
    return files?.settle(answer) ? attempt(draft) : answer
  }

  function settle(form: HTMLFormElement, [status, body, seconds]: Answer): void {
    if (status === 200) {
      tell(form, 'accepted', body)
      if (body.redirectUrl) location.assign(body.redirectUrl)
      else outcome.thank(form)
      withoutFiles.delete(form)
      formPrototype.reset.call(form)
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
    formPrototype.setAttribute.call(form, 'aria-busy', 'true')
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
    formPrototype.removeAttribute.call(form, 'aria-busy')
    // The second click of a double click may come after a quick answer and would send the emptied form.
    setTimeout(() => underWay.delete(id), answer?.[0] === 200 ? secondClickMs : 0)
    if (!answer) return
    settle(isInPage(form) ? form : ([...watched].flatMap(formsIn).find((other) => idOf(other) === id) ?? form), answer)
  }

  const watch = (root: Document | ShadowRoot) => {
    if (watched.has(root)) return
    watched.add(root)
    const look = () => {
      for (const form of formsIn(root)) {
        if (declarations.has(form)) continue
        declarations.set(form, {})
        prepare(form)
      }
    }
    // Other fields may be shown now, and the page may have written into some without an event: declare before the
    // visitor reaches them, after the page’s own listeners for a click, and before the browser validates.
    for (const type of ['focusin', 'click', 'input', 'invalid'])
      for (const isEarly of [true, false]) root.addEventListener(type, () => formsIn(root).forEach(constrain), isEarly)
    new MutationObserver(look).observe(root, { childList: true, subtree: true })
    look()
  }

  return { send, watch }
}

/**
 * Shows the bot check of a form that requires one and, if `wanted`, solves it. Resolves to the token; rejects with an
 * `Answer`, or with an error if a file could not be loaded.
 */
type CheckForm = (form: HTMLFormElement, account: BotCheckOfAccount, wanted: boolean) => Promise<string | undefined>

/** Loads what bot checks need with the first form that requires one. */
function formChecker({ origin, data }: Site, texts: LoadedTexts): CheckForm {
  let checks: BotChecks | undefined
  return async (form, account, wanted) => {
    const { botChecks } = await import(origin + '/_svc/b.js')
    checks ??= botChecks(origin, account, { text: texts.bot_check, language: data.lang }) as BotChecks
    return checks(form, wanted)
  }
}
