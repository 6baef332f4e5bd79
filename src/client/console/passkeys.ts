interface Ceremony {
  optionsPath: string
  /** Where the answer goes; absent: into the form around the button. */
  path?: string
  make(options: object): Promise<Credential | null>
}

const ceremonies: Record<string, Ceremony> = {
  add: { optionsPath: '/me/passkeys/options', path: '/me/passkeys', make: create },
  invitation: { optionsPath: '/invitation/passkey/options', make: create },
  'sign-in': { optionsPath: '/sign-in/passkey/options', path: '/sign-in/passkey', make: sign },
  prove: { optionsPath: '/sign-in/passkey/options', path: '/prove/passkey', make: sign },
}

function create(options: object): Promise<Credential | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return navigator.credentials.create({ publicKey })
}

function sign(options: object): Promise<Credential | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return navigator.credentials.get({ publicKey })
}

/** Shows the buttons of passkeys to browsers that know them. */
export function offerPasskeys(): void {
  if (!('PublicKeyCredential' in window)) return
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-passkey]')) {
    const ceremony = ceremonies[button.dataset.passkey ?? '']
    if (ceremony === undefined) continue
    button.hidden = false
    if (button.form) button.form.hidden = false
    button.addEventListener('click', () => void begin(button, ceremony))
  }
}

async function begin(button: HTMLButtonElement, { optionsPath, path, make }: Ceremony): Promise<void> {
  const words = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  button.disabled = true
  try {
    const made = (await make(await post(optionsPath, {}))) as PublicKeyCredential
    const credential = made.toJSON()
    const field = button.form?.querySelector<HTMLInputElement>('[name=credential]')
    if (path === undefined) {
      if (field) field.value = JSON.stringify(credential)
      button.form?.submit()
      return
    }
    const name = document.querySelector<HTMLInputElement>('#passkey-name')?.value ?? ''
    const to = new URLSearchParams(location.search).get('to') ?? ''
    const answer = await post(path, { credential, name, to })
    location.assign(answer.to ?? location.href)
  } catch {
    if (words !== null) words.textContent = 'That did not work. Try again, or use your password.'
    button.disabled = false
  }
}

async function post(path: string, body: object): Promise<{ to?: string }> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status}`)
  return response.json()
}
