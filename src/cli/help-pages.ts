import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page of docs/, which the executable contains for those who have nothing else. */
export interface HelpPage {
  /** What `capture help` calls it: its file's name without `.md`. */
  name: string
  title: string
}

/** Pages about the sources, which whoever has the executable alone does not have. */
const developersPages = ['architecture', 'performance']

export const helpPages = (): HelpPage[] =>
  readdirSync(folder)
    .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
    .filter((name) => !developersPages.includes(name))
    .sort()
    .map((name) => ({ name, title: /^# (.+)/.exec(read(name))?.[1] ?? name }))

/** The page as plain text. Links to other pages name the command that prints them. */
export function helpPageText(name: string, columns: number): string {
  const linked = read(name)
    .replace(/\]\(([a-z-]{1,40})\.md(?:#[^)\s]{0,100})?\)/g, '](<capture help $1>)')
    .replace(/\[([^[\]]{1,300})\]\((?!https?:|<)[^)\s]{0,200}\)/g, '$1')
  const text = Bun.markdown.ansi(linked, { columns, colors: false, hyperlinks: false })
  return `${withPlainCode(text).trimEnd()}\n`
}

/** Code without the frame that is drawn around it, so that it can be copied. */
const withPlainCode = (text: string): string =>
  text.replace(/^( *)\+- ?[\w. ]*\n((?: *\|.*\n)*) *\+-$/gm, (_frame, indent: string, code: string) =>
    code.replace(/^ *\| ?/gm, `${indent}  `).trimEnd(),
  )

const read = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8')

/** Inside the executable the folder stands beside the program: the build lists `./docs` in `compile.assets`. */
const folder = Bun.isStandaloneExecutable ? join(import.meta.dir, 'docs') : join(import.meta.dir, '../../docs')
