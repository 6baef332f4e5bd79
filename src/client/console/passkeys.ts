interface Ceremony {
  optionsPath: string
  /** Where the answer goes. */
  path: string
  make(options: object): Promise<Credential | null>
}

const ceremonies: Record<string, Ceremony> = {
  add: {
    optionsPath: '/me/passkeys/options',
    path: '/me/passkeys',
    make: (options) =>
      navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON),
      }),
  },
  'sign-in': { optionsPath: '/sign-in/passkey/options', path: '/sign-in/passkey', make: sign },
  prove: { optionsPath: '/sign-in/passkey/options', path: '/prove/passkey', make: sign },
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
    button.addEventListener('click', () => void begin(button, ceremony))
  }
}

async function begin(button: HTMLButtonElement, { optionsPath, path, make }: Ceremony): Promise<void> {
  const words = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  button.disabled = true
  try {
    const credential = await make(await post(optionsPath, {}))
    const name = document.querySelector<HTMLInputElement>('#passkey-name')?.value ?? ''
    const to = new URLSearchParams(location.search).get('to') ?? ''
    const answer = await post(path, { credential: (credential as PublicKeyCredential).toJSON(), name, to })
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
