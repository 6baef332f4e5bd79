/** A plain RFC 4180 reader: cells of lines, quotes resolved. Throws on anything the RFC does not allow. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  for (let at = 0; at < text.length; ) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at) : bareCell(text, at)
    line.push(cell)
    if (text[end] === ',') {
      at = end + 1
      continue
    }
    if (text.slice(end, end + 2) !== '\r\n') throw new Error(`no CRLF at ${end}`)
    lines.push(line)
    line = []
    at = end + 2
  }
  if (line.length > 0) throw new Error('the last line has no end')
  return lines
}

function bareCell(text: string, start: number): { cell: string; end: number } {
  let end = start
  while (end < text.length && !',\r\n"'.includes(text.charAt(end))) end++
  return { cell: text.slice(start, end), end }
}

function quotedCell(text: string, start: number): { cell: string; end: number } {
  let cell = ''
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') cell += text[at]
    else if (text[at + 1] === '"') {
      cell += '"'
      at++
    } else return { cell, end: at + 1 }
  }
  throw new Error('an open quote')
}
