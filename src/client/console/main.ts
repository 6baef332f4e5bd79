import { scriptText } from './script-text.ts'
import { keepTyped, warnOfUnsaved } from './typed.ts'

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
function offerPasskeys(): void {
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
    if (words !== null) words.textContent = scriptText('passkeyFailed')
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

const shownMs = 2000

/**
 * Shows all buttons with `data-copy`, the id of the element whose value or text is copied. Without a script, the
 * element can be selected.
 */
function offerCopying(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('button[data-copy]')
  if (buttons.length === 0) return
  const status = document.createElement('div')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  document.body.append(status)
  for (const button of buttons) {
    const source = document.getElementById(button.dataset.copy ?? '')
    if (source === null) continue
    button.hidden = false
    button.addEventListener('click', () => void copy(source, button, status))
  }
}

async function copy(source: HTMLElement, button: HTMLButtonElement, status: HTMLElement): Promise<void> {
  const isCopied = await written(textOf(source))
  if (!isCopied) select(source)
  const words = isCopied ? (button.dataset.done ?? '') : scriptText('selected')
  const name = button.dataset.name ?? button.textContent ?? ''
  button.dataset.name = name
  button.textContent = words
  status.textContent = words
  setTimeout(() => {
    button.textContent = name
    status.textContent = ''
  }, shownMs)
}

/** Whether the clipboard has the text now. Pages without https have no clipboard. */
async function written(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Shows the buttons that save the text of the element which they name, and those that print the page. */
function offerKeeping(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-save], button[data-print]')) {
    const source = document.getElementById(button.dataset.save ?? '')
    button.hidden = false
    button.addEventListener('click', () =>
      source === null ? print() : save(textOf(source), button.dataset.file ?? ''),
    )
  }
}

function save(text: string, file: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = file
  link.click()
  URL.revokeObjectURL(link.href)
}

const textOf = (source: HTMLElement): string =>
  source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement
    ? source.value
    : (source.textContent ?? '')

function select(source: HTMLElement): void {
  if (source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement) source.select()
  else getSelection()?.selectAllChildren(source)
}

/** Loads the editor of a text once somebody opens that; without it the text area does. */
function offerEditor(): void {
  const editor = document.querySelector<HTMLElement>('[data-editor]')
  const path = editor?.dataset.editor
  const folded = editor?.closest('details')
  if (path === undefined) return
  if (folded && !folded.open) folded.addEventListener('toggle', () => void import(path), { once: true })
  else void import(path)
}

/** Lets a folder, or a zip, be dropped on the form that takes one. Without a script the form's own fields do. */
function takeDrops(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-drop]')
  const words = form?.querySelector<HTMLElement>('.drop-here')
  const status = form?.querySelector('.status')
  const send = form?.querySelector('button')
  if (!form || !words || !status || !send) return
  words.hidden = false
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[type=file]')]
  const show = (): void => {
    // A browser says of an empty one that it is empty.
    for (const input of inputs) input.classList.toggle('unseen', input.value === '')
    send.hidden = inputs.every(({ value }) => value === '')
  }
  form.addEventListener('change', show)
  show()
  const over = (event: DragEvent, isOver: boolean): void => {
    event.preventDefault()
    form.classList.toggle('over', isOver)
  }
  document.addEventListener('dragover', (event) => over(event, true))
  document.addEventListener('dragleave', (event) => over(event, false))
  document.addEventListener('drop', (event) => {
    over(event, false)
    const entries = [...(event.dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? [])
    void sendFiles(form, entries, status).catch(() => {
      status.textContent = 'That could not be sent. Try again, or choose the folder.'
    })
  })
}

async function sendFiles(form: HTMLFormElement, entries: FileSystemEntry[], status: Element): Promise<void> {
  const data = new FormData()
  let count = 0
  const add = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (entry.name.startsWith('.')) return
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
      const isZip = path === entry.name && entry.name.endsWith('.zip')
      data.append(isZip ? 'zip' : 'files', file, path)
      status.textContent = `${++count} files`
    } else
      for (const child of await children(entry as FileSystemDirectoryEntry)) await add(child, `${path}/${child.name}`)
  }
  for (const entry of entries) await add(entry, entry.name)
  if (count === 0) return
  status.textContent = `Sending ${count} files …`
  const response = await fetch(form.action, { method: 'POST', body: data, headers: { accept: 'text/plain' } })
  if (response.redirected) location.assign(response.url)
  // The session has ended: the page leads to the sign-in.
  else if (response.status === 401) location.reload()
  else status.textContent = await response.text()
}

/** A folder is read in parts; an empty one is its end. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const found: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return found
    found.push(...part)
  }
}

// What the console's pages do better with a script. Each page works without, but for passkeys.

keepTyped()
warnOfUnsaved()
offerPasskeys()
offerCopying()
offerKeeping()
takeDrops()
offerEditor()
