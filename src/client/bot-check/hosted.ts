import { formPrototype } from '../page-forms.ts'
import { fault, type Widget } from './widget.ts'

/** The interface that the three providers document for rendering a widget from a script. */
export interface ProviderApi {
  render(place: HTMLElement, options: object): string | number
  reset(widget: string | number): void
}

export interface WidgetProvider {
  script: string
  /** The global that the provider's script creates. */
  global: 'turnstile' | 'hcaptcha' | 'grecaptcha'
  /** Fields that the widget adds to the form, besides the token that we send. */
  fields: string[]
}

/** As documented by the providers. */
export const hostedProviders: Partial<Record<string, WidgetProvider>> = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    global: 'turnstile',
    fields: ['cf-turnstile-response'],
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    global: 'hcaptcha',
    fields: ['h-captcha-response', 'g-recaptcha-response'],
  },
  recaptcha: {
    script: 'https://www.google.com/recaptcha/api.js',
    global: 'grecaptcha',
    fields: ['g-recaptcha-response'],
  },
}

/** Providers call it by name when they are ready; removed as soon as it was called. */
const readyName = 'svcBotCheckReady'
const scriptMsMax = 15_000
/** Leaves time to pick out traffic lights. */
const solveMsMax = 180_000
/** Many checks solve themselves; the visitor is only asked if this one did not. */
const askAfterMs = 1_500

type Page = Window & { [name: string]: unknown }

interface HostedPlace {
  sitekey: string
  form: HTMLFormElement
  place: HTMLElement
  /** Asks the visitor to solve the check; `undefined`: in English. */
  text: string | undefined
}

export function hostedWidget(
  api: ProviderApi,
  provider: WidgetProvider,
  { form, place, sitekey, text }: HostedPlace,
): Widget {
  let token: string | null = null
  let settle: { resolve: (token: string) => void; reject: (reason: unknown) => void } | null = null
  const forget = () => {
    token = null
  }
  // The widget's own element, since the place on the page may get other children.
  const id = api.render(place.appendChild(document.createElement('div')), {
    sitekey,
    callback(solved: string) {
      if (settle) settle.resolve(solved)
      else token = solved
    },
    'expired-callback': forget,
    'error-callback': () => settle?.reject(fault('bot', 'The bot check’s provider reported an error.')),
  })
  formPrototype.addEventListener.call(form, 'formdata', (event) => {
    for (const field of provider.fields) (event as FormDataEvent).formData.delete(field)
  })

  return {
    async token() {
      const solved = token ?? (await solvedByVisitor())
      token = null
      return solved
    },
    reset() {
      token = null
      api.reset(id)
    },
  }

  function solvedByVisitor(): Promise<string> {
    const asking = setTimeout(() => ask(form, place, text), askAfterMs)
    return new Promise<string>((resolve, reject) => {
      settle = { resolve, reject }
      setTimeout(() => reject(fault('bot', 'The bot check was not solved in time.')), solveMsMax)
    }).finally(() => {
      settle = null
      clearTimeout(asking)
      place.querySelector('.svc-message')?.remove()
    })
  }
}

/** Shows the visitor what is missing. */
function ask(form: HTMLFormElement, place: HTMLElement, text = 'Please confirm that you are human.'): void {
  const message = Object.assign(document.createElement('p'), { className: 'svc-message', role: 'alert' })
  place.append(message)
  message.textContent = formPrototype.getAttribute.call(form, 'data-svc-message-bot_check') ?? text
  place.scrollIntoView({ block: 'nearest' })
}

/** Loads the provider's script, unless the page has it. */
export async function loadedApi({ script, global }: WidgetProvider): Promise<ProviderApi> {
  const page = window as unknown as Page
  const api = () => page[global] as ProviderApi | undefined
  if (!api()?.render) {
    await new Promise<void>((resolve, reject) => {
      const failed = () => reject(fault('unavailable', `The bot check could not be loaded from ${script}`))
      page[readyName] = () => {
        delete page[readyName]
        resolve()
      }
      setTimeout(failed, scriptMsMax)
      const src = `${script}?render=explicit&onload=${readyName}`
      document.head.append(Object.assign(document.createElement('script'), { src, async: true, onerror: failed }))
    })
  }
  const ready = api()
  if (!ready) throw fault('unavailable', `The script ${script} is not the provider’s.`)
  return ready
}
