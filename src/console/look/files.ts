import { style } from './style/style.ts'

/** The style sheet's path names its content, so that browsers may keep it. */
export const stylePath = `/_/${Bun.SHA256.hash(style, 'hex').slice(0, 16)}.css`
/** Looked at anew by each page: a script that fits another version would fail. */
export const scriptPath = '/_/console.js'

/** The files that the console's pages load. @param script of the console, built for browsers */
export function fileAnswer(path: string, script: string): Response | null {
  if (path === stylePath) return answer(style, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable')
  if (path === scriptPath) return answer(script, 'text/javascript; charset=utf-8', 'no-cache')
  return null
}

const answer = (text: string, type: string, caching: string): Response =>
  new Response(text, {
    headers: { 'content-type': type, 'cache-control': caching, 'x-content-type-options': 'nosniff' },
  })
