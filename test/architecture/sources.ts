import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dir, '../..')

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  path: string
  text: string
  imports: Import[]
}

export interface Import {
  specifier: string
  /** The file it leads to, relative to the repository; `null`: a package or a built-in module. */
  file: string | null
  /** `type`: of types alone, which loads nothing. `later`: when a function calls for it. */
  when: 'type' | 'start' | 'later'
}

/** Every TypeScript file below a folder of the repository. */
export function sourceFiles(folder: string): SourceFile[] {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, imports: importsOf(path, text) }
    })
}

/** Every file below a folder of the repository. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** The first folder below `src/`, or the name of a file that lies in `src/` itself. */
export const roomOf = (path: string): string => path.split('/')[1]?.replace(/\.ts$/, '') ?? ''

/** The text without comments. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

/** The text without comments and strings: what is left is code. */
export const codeOf = (text: string): string => withoutComments(text).replace(/'(?:[^'\\\n]|\\.)*'/g, "''")

const comment = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm
/** `hit-bits.ts`, `processing/retention.ts`, `docs/identity.md`; not the end of an address or of `name.d.ts`. */
const fileName = /(?<![\w./@-])(?:[\w-]+\/)*[\w-]+(?:\.test)?\.(?:ts|md|sql)\b/g

/** Files that comments send a reader to. */
export const filesCitedIn = (text: string): string[] =>
  (text.match(comment) ?? []).flatMap((said) => said.match(fileName) ?? [])

/** Static imports and exports, types included, and dynamic imports. */
const importPattern = /^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(importPattern)].map(([statement, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? ''
    const file = specifier.startsWith('.') ? relative(root, resolve(root, dirname(path), specifier)) : null
    const when = dynamic !== undefined ? 'later' : /^\w+ type\b/.test(statement) ? 'type' : 'start'
    return { specifier, file, when }
  })
}
