import type { BrandSettings } from '../account/account.ts'
import { isDark, readableColour, usualColour } from '../lib/readable-colour.ts'

export interface SmallPageStyle {
  css: string
  /** Allows this style sheet and nothing else. */
  policy: string
}

const lightBackground = '#fafaf8'
const darkBackground = '#161616'
const lightText = '#1c1c1c'
const darkText = '#ececea'

const layout =
  ':root{color-scheme:light dark}body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}' +
  'main{max-width:34rem;margin:0 auto;padding:14vh 1.5rem 3rem}' +
  '.name{margin:0 0 1.75rem;padding-left:.75rem;border-left:.25rem solid;font-weight:600}' +
  'h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 1rem}' +
  'ul{margin:0;padding:0;list-style:none}li{padding:.25rem 0}a{text-underline-offset:.15em}' +
  'button{font:inherit;padding:.5rem 1.25rem;border:1px solid;border-radius:.375rem;background:none;color:inherit;cursor:pointer}'

/**
 * The style of an account's small pages in light and dark mode, with its colours as far as they are legible: a dark background in
 * both modes, a light one only in light mode.
 */
export function smallPageStyle({ colour, background }: BrandSettings): SmallPageStyle {
  const light = background ?? lightBackground
  const dark = background !== null && isDark(background) ? background : darkBackground
  const css =
    layout +
    colours(light, colour) +
    (dark === light ? '' : `@media(prefers-color-scheme:dark){${colours(dark, colour)}}`)
  const policy = `default-src 'none'; style-src 'sha256-${new Bun.CryptoHasher('sha256').update(css).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`
  return { css, policy }
}

function colours(background: string, colour: string | null): string {
  const accent = readableColour(colour ?? usualColour, background)
  const text = readableColour(isDark(background) ? darkText : lightText, background)
  return `body{color:${text};background:${background}}a{color:${accent}}.name{border-color:${accent}}`
}
