import { imageMediaType } from '../asset/media-type.ts'
import { severalAtOnce } from '../lib/several-at-once.ts'
import type { FolderAsset } from './folder-assets.ts'

const imagesAtOnce = 8
/** Of an SVG, comments and declarations may stand before its element; the others begin with their mark. */
const lookedAtBytes = 4096

const png = '\x89PNG\r\n\x1a\n'
const byteOrderMarks = ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff']

/** How the bytes of each type begin, as Latin-1 text (WHATWG MIME Sniffing, section 6.1; AVIF: ISO 14496-12, section 4.3). */
const imageTypes: Readonly<Record<string, { name: string; fits: (text: string) => boolean }>> = {
  'image/apng': { name: 'a PNG', fits: (text) => text.startsWith(png) },
  'image/avif': { name: 'an AVIF', fits: (text) => text.startsWith('ftyp', 4) && /avi[fs]/.test(text.slice(8, 64)) },
  'image/bmp': { name: 'a BMP', fits: (text) => text.startsWith('BM') },
  'image/gif': { name: 'a GIF', fits: (text) => text.startsWith('GIF8') },
  'image/x-icon': { name: 'an icon', fits: (text) => text.startsWith('\0\0\x01\0') || text.startsWith(png) },
  'image/jpeg': { name: 'a JPEG', fits: (text) => text.startsWith('\xff\xd8\xff') },
  'image/png': { name: 'a PNG', fits: (text) => text.startsWith(png) },
  'image/svg+xml': { name: 'an SVG', fits: isSvg },
  'image/webp': { name: 'a WebP', fits: (text) => text.startsWith('RIFF') && text.startsWith('WEBP', 8) },
}

/**
 * Warnings about images whose bytes are none of their type. They are published all the same: images are served with the type of
 * their name and `nosniff`, so that no browser takes them for anything else.
 */
export async function doubtfulImages(assets: readonly FolderAsset[]): Promise<string[]> {
  const images = assets.filter(({ kind }) => kind === 'image')
  const warnings = await severalAtOnce(images, imagesAtOnce, async ({ name, shown, file }) => {
    const type = imageTypes[imageMediaType(name) ?? '']
    // A file that cannot be read has a fault of its own.
    const bytes = await Bun.file(file)
      .slice(0, lookedAtBytes)
      .bytes()
      .catch(() => null)
    if (type === undefined || bytes === null || type.fits(Buffer.from(bytes).toString('latin1'))) return []
    return [
      `${shown}: is not ${type.name} image, whatever its name says, and browsers will not show it. Save it anew, or rename it`,
    ]
  })
  return warnings.flat()
}

/** Text in UTF-16 has NUL as every second byte. */
function isSvg(text: string): boolean {
  const mark = byteOrderMarks.find((mark) => text.startsWith(mark)) ?? ''
  const markup = text.slice(mark.length).replaceAll('\0', '').trimStart()
  return markup.startsWith('<') && markup.toLowerCase().includes('svg')
}
