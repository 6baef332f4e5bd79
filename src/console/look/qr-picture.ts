import { encodeQR } from 'qr'
import { html, type Markup } from '../../lib/html.ts'

/** The white margin in modules, which scanners need (ISO/IEC 18004). */
const quiet = 4

/** A QR code as a picture. It is dark on white in every colour scheme, as phones expect. */
export function qrPicture(text: string, label: string): Markup {
  const rows = encodeQR(text, 'raw', { border: quiet })
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const size = rows.length
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`
}
