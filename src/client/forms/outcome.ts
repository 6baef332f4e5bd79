import { type announce as Announce, formPrototype } from '../page-forms.ts'
import type { Site } from '../site.ts'
import type { VisitorTexts } from '../visitor-texts.ts'

/** Used where the texts of a language could not be loaded. */
export const fallbackTexts: Pick<VisitorTexts, 'accepted' | 'unavailable' | 'files'> = {
  accepted: 'Thank you, it has been sent.',
  unavailable: 'Sorry, it could not be sent. Please try again.',
  files: 'Not sent: this form takes no files. Send again to leave them out.',
}

/** The texts of a language, as far as they could be loaded. */
export type LoadedTexts = typeof fallbackTexts & Partial<VisitorTexts>

/** What a text may name, as `{length}`. */
type TextValues = Record<string, unknown>

/** Tells visitors the outcome of sending a form, one at a time. */
interface Outcome {
  /** Removes the last message. */
  clear: (form: HTMLFormElement) => void
  /** Shows the outcome at the end of the form, and announces it. */
  announce: (form: HTMLFormElement, code: string, values?: TextValues) => void
  /**
   * Shows the page's own thank-you and moves the focus there, which announces it; shows a message if the visitor would
   * not see it.
   */
  thank: (form: HTMLFormElement) => void
}

export function outcomeIn(site: Site, say: typeof Announce, texts: LoadedTexts): Outcome {
  /** How to hide a thank-you that is in the page. */
  const hide = new WeakMap<HTMLFormElement, () => void>()

  const clear = (form: HTMLFormElement) => {
    formPrototype.querySelector.call(form, '.svc-message')?.remove()
    hide.get(form)?.()
    hide.delete(form)
  }

  const announce = (form: HTMLFormElement, code: string, values: TextValues = {}) => {
    const text =
      formPrototype.getAttribute.call(form, 'data-svc-message-' + code) ??
      texts[code as keyof LoadedTexts] ??
      texts.unavailable
    const wait = values.seconds ? ` (${values.seconds} s)` : ''
    say(form, code === 'accepted' ? 'status' : 'alert', text.replace(/{(\w+)}/g, (_, name) => `${values[name]}`) + wait)
  }

  const thank = (form: HTMLFormElement) => {
    const selector = formPrototype.getAttribute.call(form, 'data-svc-success')
    const undo = selector && show(placeOf(form, selector))
    if (undo) {
      hide.set(form, undo)
      return
    }
    announce(form, 'accepted')
    if (selector) site.say('data-svc-success shows nothing: ' + selector)
  }

  return { clear, announce, thank }
}

function placeOf(form: HTMLFormElement, selector: string): HTMLElement | null | undefined {
  try {
    return (
      (formPrototype.getRootNode.call(form) as Document).querySelector(selector) ?? document.querySelector(selector)
    )
  } catch {
    return
  }
}

/**
 * Shows an element, whatever hides it, and focuses it. Returns how to hide it again; `undefined`: it cannot be seen.
 */
function show(place: HTMLElement | null | undefined): (() => void) | undefined {
  if (!place) return
  const { hidden, style } = place
  const { cssText } = style
  const undo = () => {
    style.cssText = cssText
    place.hidden = hidden
  }
  place.hidden = false
  const looks = getComputedStyle(place)
  for (const [property, hiding, showing] of [
    ['display', 'none', 'block'],
    ['visibility', 'hidden', 'visible'],
    ['opacity', '0', '1'],
  ] as const) {
    if (looks[property] === hiding) style.setProperty(property, showing, 'important')
  }

  if (place.tabIndex < 0) place.tabIndex = -1
  place.focus()
  const { width, height, right } = place.getBoundingClientRect()
  // An element that does not take the focus is hidden with its surroundings or behind a modal dialog.
  if ((place.getRootNode() as Document).activeElement === place && width > 1 && height > 1 && right > 0) return undo
  undo()
  return
}
