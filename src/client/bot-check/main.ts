import { formPrototype } from '../page-forms.ts'
import { altchaWidget } from './altcha.ts'
import { hostedProviders, hostedWidget, loadedApi, type ProviderApi, type WidgetProvider } from './hosted.ts'
import type { BotCheckOfAccount, BotChecks, SpokenTo, Widget } from './widget.ts'

/**
 * Needed only by forms with a required bot check, and loaded when the script meets the first one (docs/script.md): shows
 * the check in a form, and solves it when the form is sent.
 */
export function botChecks(
  origin: string,
  { provider, sitekey }: BotCheckOfAccount,
  { text, language }: SpokenTo,
): BotChecks {
  const shown = new WeakMap<HTMLFormElement, { place: HTMLElement; widget: Promise<Widget> }>()
  const hosted = hostedProviders[provider]
  let api: Promise<ProviderApi> | undefined

  /** Once for each form, and again if a framework removed the first one or it could not be shown. */
  function widgetIn(form: HTMLFormElement): Promise<Widget> {
    const before = shown.get(form)
    if (before?.place.isConnected) return before.widget
    const place = placeIn(form)
    const widget = show(form, place)
    shown.set(form, { place, widget })
    widget.catch(() => shown.delete(form))
    return widget
  }

  async function show(form: HTMLFormElement, place: HTMLElement): Promise<Widget> {
    const widget = hosted
      ? hostedWidget(await apiOf(hosted), hosted, { sitekey, form, place, text })
      : await altchaWidget(origin, place, language)
    // A token works once, and its request is over, whatever the outcome.
    for (const outcome of ['svc:accepted', 'svc:refused']) {
      formPrototype.addEventListener.call(form, outcome, () => widget.reset())
    }
    return widget
  }

  /** One script for all forms; requested again if it could not be loaded. */
  function apiOf(provider: WidgetProvider): Promise<ProviderApi> {
    api ??= loadedApi(provider).catch((reason) => {
      api = undefined
      throw reason
    })
    return api
  }

  return async (form, wanted) => {
    if (wanted) return (await widgetIn(form)).token()
    // Nobody is waiting, so the reason goes to the console.
    await widgetIn(form).catch((reason) => {
      throw Array.isArray(reason) ? reason[1].error.message : reason
    })
    return
  }
}

/** Marks the place for the check within a form; by default it precedes the send button. */
const attribute = 'data-svc-bot-check'

function placeIn(form: HTMLFormElement): HTMLElement {
  const place = (formPrototype.querySelector.call(form, `[${attribute}]`) as HTMLElement | null) ?? newPlace(form)
  place.replaceChildren()
  return place
}

function newPlace(form: HTMLFormElement): HTMLElement {
  const place = document.createElement('div')
  place.setAttribute(attribute, '')
  const button = formPrototype.querySelector.call(form, '[type=submit], [type=image], button:not([type])')
  if (button) button.before(place)
  else formPrototype.append.call(form, place)
  return place
}
