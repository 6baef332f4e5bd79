/// <reference path="./texts.d.ts" />
import style from './style.css' with { type: 'text' }

/** Files that the console's pages load, named by their content so that browsers may keep them. */
const hashed = (text: string): string => Bun.SHA256.hash(text, 'hex').slice(0, 16)

const script = ''
export const stylePath = `/_/${hashed(style)}.css`
export const scriptPath = `/_/${hashed(script)}.js`

export const files: ReadonlyMap<string, { type: string; text: string }> = new Map([
  [stylePath, { type: 'text/css; charset=utf-8', text: style }],
  [scriptPath, { type: 'text/javascript; charset=utf-8', text: script }],
])
