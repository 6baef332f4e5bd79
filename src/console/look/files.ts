import { readableColour } from '../../lib/readable-colour.ts'
import { style } from './style/style.ts'

/** The style sheet's path names its content, so that browsers may keep it. */
export const stylePath = `/_/${Bun.SHA256.hash(style, 'hex').slice(0, 16)}.css`
/** Looked at anew by each page: a script that fits another version would fail. */
export const scriptPath = '/_/console.js'

const unchanging = 'public, max-age=31536000, immutable'

const colourPattern = /^\/_\/colour-([0-9a-f]{6})\.css$/
/** Of the style sheet that brings an account's colour (`#rrggbb`) to a page: no page may bring a style of its own. */
export const colourPath = (colour: string): string => `/_/colour-${colour.slice(1).toLowerCase()}.css`

/** `--brand`, moved as far as it takes to be read in the light and in the dark. */
const colourStyle = (digits: string): string => {
  const [light, dark] = [lightGround, darkGround].map((ground) => readableColour(`#${digits}`, ground))
  return `:root{--brand:light-dark(${light},${dark})}`
}
/** `--raised` of base.css. */
const lightGround = '#ffffff'
const darkGround = '#1e2125'

/** The files that the console's pages load. @param script of the console, built for browsers */
export function fileAnswer(path: string, script: string): Response | null {
  if (path === stylePath) return answer(style, 'text/css; charset=utf-8', unchanging)
  const [, colour] = colourPattern.exec(path) ?? []
  if (colour !== undefined) return answer(colourStyle(colour), 'text/css; charset=utf-8', unchanging)
  if (path === scriptPath) return answer(script, 'text/javascript; charset=utf-8', 'no-cache')
  return null
}

const answer = (text: string, type: string, caching: string): Response =>
  new Response(text, {
    headers: { 'content-type': type, 'cache-control': caching, 'x-content-type-options': 'nosniff' },
  })
