import { encodeQR } from 'qr'
import { html, type Markup } from '../../lib/html.ts'

/** Modules of white around the code, which scanners need (ISO/IEC 18004). */
const quiet = 4

/** A QR code as a picture, dark on white in every colour scheme: scanners of phones expect it so. */
export function qrPicture(text: string, label: string): Markup {
  const rows = encodeQR(text, 'raw', { border: quiet })
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const size = rows.length
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`
}
