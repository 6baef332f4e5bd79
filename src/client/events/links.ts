import type { TakeEvent } from '../happening.ts'
import type { Site } from '../site.ts'
import type { EventQueue } from './queue.ts'

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
export function trackLink(site: Site, { track, leave }: EventQueue, [url, event, path]: Parameters<TakeEvent>): void {
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
  const [, extension = ''] = /\.(\w+)$/.exec(link.pathname) ?? []
  return link.hasAttribute('download') || (extension !== '' && wanted.includes(extension.toLowerCase()))
}
