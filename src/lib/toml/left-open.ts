import { endOr, stringEnd } from './bounds.ts'
import type { TomlFault } from './fault.ts'

/** What is missing, with its line, where the parser stopped because something before has no end. */
type LeftOpen = Pick<TomlFault, 'line' | 'message'>

const key = /^\s*(?:[A-Za-z0-9_.-]+|"[^"]*")\s*=/
const header = /^\s*\[\[?[A-Za-z0-9_.-]+\]\]?\s*(?:#.*)?$/
const keyWithoutValue = /^\s*([A-Za-z0-9_.-]+|"[^"]*")\s*=\s*(?:#.*)?$/

/** @param line where the parser stopped, from 1 @returns `null`: everything before that line is closed, and every key has a value */
export function leftOpen(text: string, line: number): LeftOpen | null {
  const lines = text.split('\n')
  const stopped = lines[line - 1] ?? ''
  const isAtEnd = lines.slice(line).every((rest) => rest.trim() === '')
  const bracket = lastOpen(lines.slice(0, isAtEnd ? line : line - 1).join('\n'))
  if (bracket !== null) {
    // Keys stand in { } too.
    const isNextBegun = header.test(stopped) || (bracket.character === '[' && key.test(stopped))
    const closing = bracket.character === '[' ? ']' : '}'
    const message = `the ${bracket.character} of this line is never closed: ${closing} is missing`
    return isAtEnd || isNextBegun ? { line: bracket.line, message } : null
  }
  for (const at of [line, line - 1]) {
    const [, name] = keyWithoutValue.exec(lines[at - 1] ?? '') ?? []
    if (name !== undefined) return { line: at, message: `${name} has no value: something must stand behind the =` }
  }
  return null
}

/** The innermost bracket that is still open at the end; `null`: none. */
function lastOpen(text: string): { character: '[' | '{'; line: number } | null {
  const open: { character: '[' | '{'; line: number }[] = []
  let line = 1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\n') line++
    else if (character === '#') at = endOr(text.indexOf('\n', at), text) - 1
    else if (character === '"' || character === "'") {
      const end = stringEnd(text, at)
      line += text.slice(at, end).split('\n').length - 1
      at = end - 1
    } else if (character === '[' || character === '{') open.push({ character, line })
    else if (character === ']' || character === '}') open.pop()
  }
  return open.at(-1) ?? null
}
