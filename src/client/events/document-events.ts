import type { TakeEvent } from '../commands.ts'
import type { Site } from '../site.ts'
import type { EventQueue, Track } from './queue.ts'

const attribute = 'data-svc-event'
const prefix = 'data-svc-event-'
/** A form's fields hide its own properties of the same name. */
const { getAttribute, getAttributeNames } = Element.prototype

/**
 * Tracks what happens to elements with `data-svc-event`: a click (which browsers also report for the keyboard) or, of a
 * form, its submit. The nearest one counts, with its `data-svc-event-…` attributes as properties.
 */
function declaredEvents(track: Track): TakeEvent {
  let justTracked: EventTarget | null = null

  return (url, { type }, path) => {
    if (type === 'auxclick') return
    const element = path.find(
      (one): one is Element =>
        one instanceof Element &&
        getAttribute.call(one, attribute) != null &&
        one instanceof HTMLFormElement === (type === 'submit'),
    )
    // A click on a label is followed by one on the labelled element.
    if (!element || element === justTracked) return
    justTracked = element
    setTimeout(() => {
      justTracked = null
    })
    const properties: Record<string, string> = {}
    for (const name of getAttributeNames.call(element)) {
      if (name.startsWith(prefix)) properties[name.slice(prefix.length)] = getAttribute.call(element, name) as string
    }
    track({ event: getAttribute.call(element, attribute) as string, properties }, url)
  }
}

/** What counts as a download where `data-downloads` names no extensions. */
const usualExtensions = 'pdf doc docx odt xls xlsx ods csv ppt pptx txt epub ics zip rar 7z gz dmg exe mp3 wav mp4 mov'

/** The middle button opens a link in a new tab. */
const middleButton = 1

type Link = HTMLAnchorElement | HTMLAreaElement

/**
 * Tracks a link that the visitor follows, where the script tag asks for it: `$download` with `data-downloads`,
 * `$outbound` to other hosts with `data-outbound`. `properties.link` is the address without query and fragment, which
 * may say who the visitor is.
 */
function trackLink(site: Site, { track, leave }: EventQueue, [url, event, path]: Parameters<TakeEvent>): void {
  const { outbound, downloads } = site.data
  const link = path.find(isLink)
  if (!link || !/^https?:$/.test(link.protocol)) return
  if (event.type === 'auxclick' && (event as MouseEvent).button !== middleButton) return
  const properties = { link: link.origin + link.pathname }
  if (downloads !== undefined && isDownload(link, downloads)) track({ event: '$download', properties }, url)
  else if (outbound !== undefined && ![location.host, new URL(site.origin).host].includes(link.host)) {
    track({ event: '$outbound', properties }, url)
    // The next page is loading: what is sent now leaves even a browser without `keepalive`.
    leave()
  }
}

const isLink = (target: EventTarget): target is Link =>
  (target instanceof HTMLAnchorElement || target instanceof HTMLAreaElement) && target.href !== ''

/** @param extensions the value of `data-downloads` */
function isDownload(link: Link, extensions: string): boolean {
  const wanted = (extensions || usualExtensions).toLowerCase().split(/[\s,.]+/)
  const extension = /\.(\w+)$/.exec(link.pathname)?.[1]
  return link.hasAttribute('download') || (!!extension && wanted.includes(extension.toLowerCase()))
}

/**
 * Makes events of clicks and submits in the document: of elements that declare them, and of links where the script tag
 * asks for it.
 */
export function documentEvents(site: Site, queue: EventQueue): TakeEvent {
  const trackDeclared = site.guarded(declaredEvents(queue.track))
  const trackFollowed = site.guarded((...happening: Parameters<TakeEvent>) => trackLink(site, queue, happening))

  // A submit does not leave its shadow root, but the visitor's click or typing before it does.
  const reach = (path: EventTarget[]): void => {
    for (const node of path) if (node instanceof ShadowRoot) node.addEventListener('submit', submitted, true)
  }
  const submitted = (event: Event): void => trackDeclared(location.href, event, event.composedPath())
  addEventListener('focusin', (event) => reach(event.composedPath()), true)

  return (url, event, path) => {
    reach(path)
    trackDeclared(url, event, path)
    if (event.type !== 'submit') trackFollowed(url, event, path)
    // The click may have answered a consent banner.
    queue.nudge()
  }
}
