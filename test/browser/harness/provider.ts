/** A hosted bot check as its documentation describes it to pages. */
export interface Provider {
  name: 'turnstile' | 'hcaptcha' | 'recaptcha'
  script: string
  global: string
  /** The fields that its widget adds to the form around it. */
  fields: string[]
}

export const providers: Provider[] = [
  {
    name: 'turnstile',
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    global: 'turnstile',
    fields: ['cf-turnstile-response'],
  },
  {
    name: 'hcaptcha',
    script: 'https://js.hcaptcha.com/1/api.js',
    global: 'hcaptcha',
    fields: ['h-captcha-response', 'g-recaptcha-response'],
  },
  {
    name: 'recaptcha',
    script: 'https://www.google.com/recaptcha/api.js',
    global: 'grecaptcha',
    fields: ['g-recaptcha-response'],
  },
]

/**
 * A stand-in for the provider's script: explicit rendering, `onload` by name, `callback`, `expired-callback`, `reset`.
 * Each solution hands out the next of the tokens.
 */
export const providerScript =
  ({ global, fields }: Provider, tokens: string[]) =>
  () =>
    new Response(`(${standIn.toString()})(${JSON.stringify({ global, fields, tokens })})`, {
      headers: { 'content-type': 'text/javascript' },
    })

interface StandIn {
  global: string
  fields: string[]
  tokens: string[]
}

interface RenderOptions {
  sitekey: string
  callback: (token: string) => void
  'expired-callback': () => void
}

/** Runs in the page. */
function standIn({ global, fields, tokens }: StandIn): void {
  const query = new URL((document.currentScript as HTMLScriptElement).src).searchParams
  const page = window as unknown as Record<string, unknown>
  const widgets: { solve: HTMLButtonElement; inputs: HTMLInputElement[] }[] = []

  page[global] = {
    render(place: HTMLElement, options: RenderOptions): string {
      const button = (name: string, press: () => void) => {
        const made = Object.assign(document.createElement('button'), { type: 'button', textContent: name })
        made.addEventListener('click', press)
        return made
      }
      const inputs = fields.map((name) => Object.assign(document.createElement('input'), { type: 'hidden', name }))
      const solve = button(`Solve ${options.sitekey}`, () => {
        const token = tokens.shift() ?? 'none left'
        for (const input of inputs) input.value = token
        solve.disabled = true
        options.callback(token)
      })
      const expire = button('Expire', () => {
        solve.disabled = false
        options['expired-callback']()
      })
      place.append(solve, expire, ...inputs)
      return String(widgets.push({ solve, inputs }) - 1)
    },
    reset(id: string): void {
      const widget = widgets[Number(id)]
      if (!widget) throw new Error('There is no such widget')
      widget.solve.disabled = false
      for (const input of widget.inputs) input.value = ''
    },
  }
  if (query.get('render') !== 'explicit') throw new Error('Not rendered explicitly')
  const ready = page[query.get('onload') ?? ''] as () => void
  setTimeout(ready)
}
