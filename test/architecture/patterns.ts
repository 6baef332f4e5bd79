import type { SourceFile } from './sources.ts'

/** A regular expression of the sources. */
export interface Pattern {
  /** Relative to the repository. */
  path: string
  source: string
  flags: string
}

/** What may precede an expression: there, a slash begins a literal and does not divide. */
const beforeExpression = /(?:^|[([{,;:=!&|?+<>~%^*-]|=>|\b(?:return|typeof|case|of|in|yield|await))$/

/** Comments, strings and the texts of templates; the code within `${}` is left. */
const skipped = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y
const literal = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y

/** The regular expression literals of a file. */
export function literalsOf({ path, text }: Pick<SourceFile, 'path' | 'text'>): Pattern[] {
  const found: Pattern[] = []
  /** One number for each template that is open: how many braces are open in its present `${}`. */
  const templates: number[] = []
  let code = ''
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? ''
    skipped.lastIndex = at
    const passed = skipped.exec(text)
    if (passed !== null) {
      at += passed[0].length
      if (!passed[0].startsWith('/')) code += "''"
      continue
    }
    if (character === '/' && beforeExpression.test(code.trimEnd().slice(-12))) {
      literal.lastIndex = at
      const [whole = '', source = '', flags = ''] = literal.exec(text) ?? []
      if (whole === '') throw new Error(`${path}: no literal at ${text.slice(at, at + 40)}`)
      found.push({ path, source, flags })
      at += whole.length
      code += '0'
      continue
    }
    at++
    const braces = templates.at(-1)
    const endsCode = braces === 0 && character === '}'
    if (character === '`' || endsCode) {
      if (endsCode) templates.pop()
      at = afterTemplateText(text, at)
      if (text.startsWith('${', at - 2)) {
        templates.push(0)
        code += '('
      } else code += "''"
      continue
    }
    if (braces !== undefined && character === '{') templates[templates.length - 1] = braces + 1
    if (braces !== undefined && character === '}') templates[templates.length - 1] = braces - 1
    code += character
  }
  return found
}

/** Behind the next `${` or the end of the template. */
function afterTemplateText(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '`') return at + 1
    else if (text.startsWith('${', at)) return at + 2
  }
  throw new Error('a template does not end')
}
