// What was typed is not lost: not with a session that ended, a value that was refused, a network that is away, or a page that is left.

import { scriptText } from './script-text.ts'

const key = 'typed'
/** Room for a long `site.toml` as it was opened and as it is. */
const charactersMax = 2_000_000

interface Typed {
  path: string
  /** Who typed it: another user of this tab must not see it. */
  by: string
  names: string
  values: string[]
  /** The user was asked to sign in, or to confirm who they are, before anything was done. */
  isInterrupted: boolean
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function keepTyped(): void {
  giveBack()
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target as HTMLFormElement
      if (form.method !== 'post' || !form.closest('main')) return
      // Beside a list of leads, its script sends acts itself, and says what became of them.
      if (form.dataset.act !== undefined && document.getElementById('inbox')) return
      if (!navigator.onLine) {
        event.preventDefault()
        event.stopPropagation()
        say(form, 'bad', 'alert', scriptText('offline'))
        return
      }
      if (isEntry()) return
      const typed: Typed = { path: location.pathname, by: user(), ...contentOf(form), isInterrupted: false }
      if (typed.values.some((value) => value !== '')) store(typed)
    },
    true,
  )
}

/** The pages of sign-in and proof stand between a form and its answer; what is typed into these is never kept. */
const isEntry = (): boolean => /^\/(?:sign-in|prove)$/.test(location.pathname)

const user = (): string => document.querySelector('.out span')?.textContent ?? ''

function giveBack(): void {
  const typed = stored()
  if (typed === null) return
  if (isEntry()) {
    store({ ...typed, isInterrupted: true })
    return
  }
  sessionStorage.removeItem(key)
  const wasRefused = document.querySelector('main [role=alert]') !== null
  if (typed.path !== location.pathname || typed.by !== user() || !(wasRefused || typed.isInterrupted)) return
  const form = [...document.querySelectorAll<HTMLFormElement>('main form[method=post]')].find(
    (form) => contentOf(form).names === typed.names,
  )
  // The text of a form that says it is unsaved is what was typed, or made of it.
  if (!form || form.dataset.unsaved === 'yes') return
  form.closest('details')?.setAttribute('open', '')
  for (const [index, control] of controlsOf(form).entries()) setValue(control, typed.values[index] ?? '')
  if (!wasRefused && !document.querySelector('main [role=status]:not(:empty)')) {
    say(form, 'doubtful', 'status', scriptText('retyped'))
  }
}

function contentOf(form: HTMLFormElement): { names: string; values: string[] } {
  const controls = controlsOf(form)
  return { names: controls.map(({ name }) => name).join(), values: controls.map(typedInto) }
}

/** What people type or choose, and what that was made from; never a secret. */
const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(
    (control): control is Control =>
      control.matches(
        'textarea, select, input:not([type=hidden]:not([data-typed]), [type=password], [type=file], [autocomplete=one-time-code])',
      ) && (control as Control).name !== '',
  )

const isBox = (control: Control): control is HTMLInputElement => control.matches('[type=checkbox], [type=radio]')

const typedInto = (control: Control): string => (isBox(control) ? (control.checked ? '1' : '') : control.value)

function setValue(control: Control, value: string): void {
  if (isBox(control)) control.checked = value !== ''
  else control.value = value
}

function say(form: HTMLFormElement, tone: string, role: string, text: string): void {
  document.getElementById('typed-note')?.remove()
  const note = document.createElement('p')
  note.id = 'typed-note'
  note.className = `note ${tone}`
  note.setAttribute('role', role)
  note.tabIndex = -1
  note.textContent = text
  form.before(note)
  note.focus()
}

function store(typed: Typed): void {
  try {
    const text = JSON.stringify(typed)
    if (text.length <= charactersMax) sessionStorage.setItem(key, text)
  } catch {
    // A browser without storage: what was typed is as safe as without a script.
  }
}

function stored(): Typed | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Asks before an edited text is left: that of a form with `data-unsaved`, which says by itself whether its text is saved. */
export function warnOfUnsaved(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-unsaved]')
  const text = form?.querySelector('textarea')
  if (!form || !text) return
  let mayLeave = false
  form.addEventListener('submit', () => (mayLeave = navigator.onLine))
  form.querySelector('.do a')?.addEventListener('click', () => (mayLeave = true))
  addEventListener('beforeunload', (event) => {
    if (!mayLeave && (form.dataset.unsaved === 'yes' || text.value !== text.defaultValue)) event.preventDefault()
  })
}
