import type { AltchaWidgetElement } from 'altcha/external'
import type { Challenge } from 'altcha/types'
import { solve } from './solver.ts'
import { type CheckFault, fault, faultOf, type Widget } from './widget.ts'

/** Waiting for the element to start takes a moment; it only takes longer if something is broken. */
const startMsMax = 10_000

/**
 * The self-hosted check: everything it needs comes from the connected domain. It is in a shadow root, so that the
 * page's styles do not affect it, its fields do not belong to the form, and its `required` does not block the form.
 */
export async function altchaWidget(origin: string, place: HTMLElement, language?: string): Promise<Widget> {
  if (htmlIsRefused()) return unseenCheck(origin + '/_svc/b')
  await import(origin + '/_svc/b/altcha.js')
  const element = document.createElement('altcha-widget')
  const style = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    href: origin + '/_svc/b/altcha.css',
  })
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const started = new Promise<void>((resolve, reject) => {
    element.addEventListener('load', () => resolve())
    setTimeout(() => reject(fault('unavailable', 'The bot check did not start.')), startMsMax)
  })
  root.replaceChildren(style, element)
  await started
  if (language) await element.configure({ language })
  return widgetOf(element, origin + '/_svc/b')
}

/** Whether the page's policy requires Trusted Types, under which the widget cannot draw itself. */
function htmlIsRefused(): boolean {
  try {
    document.createElement('template').innerHTML = ''
    return false
  } catch {
    return true
  }
}

async function widgetOf(element: AltchaWidgetElement, challenge: string): Promise<Widget> {
  let refusal: CheckFault | null = null
  /** Solved by a click, but not handed out yet. */
  let solved: string | null = null

  element.addEventListener('verified', (event) => {
    solved = (event as CustomEvent<{ payload: string }>).detail.payload
  })
  await element.configure({
    challenge,
    hideFooter: true,
    hideLogo: true,
    // Otherwise it would observe how the visitor moves.
    humanInteractionSignature: false,
    minDuration: 0,
    async fetch(url, options) {
      const response = await fetch(url, { ...options, credentials: 'omit' })
      refusal = response.ok ? null : await faultOf(response)
      return response
    },
  })

  return {
    async token() {
      await untilSettled(element)
      const payload = (element.getState() === 'verified' && solved) || (await element.verify())?.payload
      solved = null
      if (!payload) throw refusal ?? fault('bot', 'The bot check could not be solved in this browser.')
      return payload
    },
    reset() {
      solved = null
      element.reset()
    },
  }
}

/** A visitor may have ticked the box just now; if asked again, the widget would abandon both. */
async function untilSettled(element: AltchaWidgetElement): Promise<void> {
  while (element.getState() === 'verifying') {
    await new Promise((resolve) => element.addEventListener('statechange', resolve, { once: true }))
  }
}

/** Even the slowest phones finish long before. */
const timeoutMs = 60_000

/** The self-hosted check where its widget cannot be shown: solved silently when the form is sent. */
function unseenCheck(challengeUrl: string): Widget {
  return {
    async token() {
      const response = await fetch(challengeUrl, { credentials: 'omit' })
      if (!response.ok) throw await faultOf(response)
      const { parameters, signature } = (await response.json()) as Challenge
      const work = { challenge: { parameters }, counterStart: 0, counterStep: 1, timeout: timeoutMs }
      const solution = await solve(work, new AbortController().signal)
      if (!solution) throw fault('bot', 'The bot check could not be solved in this browser.')
      return btoa(JSON.stringify({ challenge: { parameters, signature }, solution }))
    },
    // Each token is solved separately.
    reset() {},
  }
}
