/** Media types of images by extension. Other extensions are not images. */
const imageMediaTypes: ReadonlyMap<string, string> = new Map([
  ['apng', 'image/apng'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['gif', 'image/gif'],
  ['ico', 'image/x-icon'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['webp', 'image/webp'],
])

/**
 * Media types of downloads. Types that a browser would run or render as a page of the domain (HTML, XML, SVG, scripts) are left
 * out on purpose: they stay `application/octet-stream`, in case a client ignores the attachment header.
 */
const fileMediaTypes: ReadonlyMap<string, string> = new Map([
  ['7z', 'application/x-7z-compressed'],
  ['avif', 'image/avif'],
  ['csv', 'text/csv; charset=utf-8'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['epub', 'application/epub+zip'],
  ['gif', 'image/gif'],
  ['gz', 'application/gzip'],
  ['ics', 'text/calendar; charset=utf-8'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['json', 'application/json'],
  ['m4a', 'audio/mp4'],
  ['mov', 'video/quicktime'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['rtf', 'application/rtf'],
  ['tar', 'application/x-tar'],
  ['txt', 'text/plain; charset=utf-8'],
  ['vcf', 'text/vcard; charset=utf-8'],
  ['wav', 'audio/wav'],
  ['webm', 'video/webm'],
  ['webp', 'image/webp'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['zip', 'application/zip'],
])

/**
 * Media types of what pages are made of beside images. HTML is left out on purpose: it would be a page of the domain without a
 * view, a version of its own or a preview.
 */
const assetMediaTypes: ReadonlyMap<string, string> = new Map([
  ...imageMediaTypes,
  ['aac', 'audio/aac'],
  ['css', 'text/css; charset=utf-8'],
  ['flac', 'audio/flac'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json'],
  ['m4a', 'audio/mp4'],
  ['m4v', 'video/mp4'],
  ['map', 'application/json'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['mov', 'video/quicktime'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['oga', 'audio/ogg'],
  ['ogg', 'audio/ogg'],
  ['ogv', 'video/ogg'],
  ['opus', 'audio/ogg'],
  ['otf', 'font/otf'],
  ['ttf', 'font/ttf'],
  ['txt', 'text/plain; charset=utf-8'],
  ['vtt', 'text/vtt; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['wav', 'audio/wav'],
  ['weba', 'audio/webm'],
  ['webm', 'video/webm'],
  ['webmanifest', 'application/manifest+json'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['xml', 'application/xml'],
])

/** `null`: the name's extension is not in the table. */
export const assetMediaType = (name: string): string | null => assetMediaTypes.get(extensionOf(name)) ?? null

/** `null`: the name's extension is not in the table. */
export const imageMediaType = (name: string): string | null => imageMediaTypes.get(extensionOf(name)) ?? null

export const fileMediaType = (name: string): string =>
  fileMediaTypes.get(extensionOf(name)) ?? 'application/octet-stream'

export const imageExtensions: readonly string[] = [...imageMediaTypes.keys()]

export const assetExtensions: readonly string[] = [...assetMediaTypes.keys()].sort()

/** Lower-case, without the dot; empty when there is none. */
function extensionOf(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1)
  const dot = base.lastIndexOf('.')
  return dot <= 0 ? '' : base.slice(dot + 1).toLowerCase()
}
