/// <reference path="../../client/built.d.ts" />
import { readableColour } from '../../lib/readable-colour.ts'
import { reportPartsStyle } from '../../report/document/page-style.ts'
import board from './style/board.css' with { type: 'text' }
import controls from './style/controls.css' with { type: 'text' }
import entry from './style/entry.css' with { type: 'text' }
import leads from './style/leads.css' with { type: 'text' }
import notices from './style/notices.css' with { type: 'text' }
import panes from './style/panes.css' with { type: 'text' }
import plan from './style/plan.css' with { type: 'text' }
import report from './style/report.css' with { type: 'text' }
import shell from './style/shell.css' with { type: 'text' }
import site from './style/site.css' with { type: 'text' }
import tables from './style/tables.css' with { type: 'text' }

/** One file per subject. Later files win over earlier ones. */
const style = [shell, controls, notices, tables, board, plan, leads, panes, site, entry, reportPartsStyle, report].join(
  '',
)

/** The path contains a hash of the style sheet, so that browsers may cache it. */
export const stylePath = `/_/${Bun.SHA256.hash(style, 'hex').slice(0, 16)}.css`
/** Revalidated by each page: the script of another version would fail. */
export const scriptPath = '/_/console.js'
export const leadsScriptPath = '/_/leads.js'
export const iconPath = '/_/icon.svg'

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f5fbf"/><path d="M21.5 11a7.5 7.5 0 1 0 0 10" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>'

const unchanging = 'public, max-age=31536000, immutable'

const colourPattern = /^\/_\/colour-([0-9a-f]{6})\.css$/
/** The path of the style sheet with an account's colour (`#rrggbb`): the policy forbids inline styles. */
export const colourPath = (colour: string): string => `/_/colour-${colour.slice(1).toLowerCase()}.css`

/** In place of the console's own colour: links, marks and drawings of the page agree. */
const colourStyle = (digits: string): string => {
  const [light, dark] = [lightGround, darkGround].map((ground) => readableColour(`#${digits}`, ground))
  return `:root{--accent:light-dark(${light},${dark})}`
}
/** Of `--paper` and `--raised` in shell.css, the one on which a colour is harder to read. */
const lightGround = '#fbfbfa'
const darkGround = '#1e2125'

export const settingsEditorPath = '/_/settings-editor.js'

/** Scripts built for browsers. */
export interface BuiltScripts {
  /** Of the console. */
  script: string
  /** Of lists of leads, and of leads. */
  leadsScript: string
  /** Of the settings' editor: where its compressed file is. */
  settingsEditorFile: string
}

/** The files that the console's pages load. */
export function fileAnswer(path: string, { script, leadsScript, settingsEditorFile }: BuiltScripts): Response | null {
  if (path === stylePath) return answer(style, 'text/css; charset=utf-8', unchanging)
  const [, colour] = colourPattern.exec(path) ?? []
  if (colour !== undefined) return answer(colourStyle(colour), 'text/css; charset=utf-8', unchanging)
  if (path === scriptPath) return answer(script, 'text/javascript; charset=utf-8', 'no-cache')
  if (path === leadsScriptPath) return answer(leadsScript, 'text/javascript; charset=utf-8', 'no-cache')
  if (path === settingsEditorPath) {
    const compressed = answer(Bun.file(settingsEditorFile), 'text/javascript; charset=utf-8', 'private, max-age=86400')
    compressed.headers.set('content-encoding', 'gzip')
    return compressed
  }
  if (path === iconPath) return answer(icon, 'image/svg+xml', 'public, max-age=86400')
  return null
}

const answer = (content: string | Bun.BunFile, type: string, caching: string): Response =>
  new Response(content, {
    headers: { 'content-type': type, 'cache-control': caching, 'x-content-type-options': 'nosniff' },
  })
