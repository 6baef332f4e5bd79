/** A key and what stands behind its `=`. */
const assignment = /^([A-Za-z0-9_.-]+|"[^"]*")\s*=(.*)$/
/** Begins with none of: a quote, a list, a table, a comment. */
const bareValue = /^[^\s"'[{#]/
const bareItem = /^\[\s*(?!true\b|false\b|inf\b|nan\b)[\p{L}*]/u

/**
 * Advice for an unparsable line whose value looks like text without quotation marks; `null`: it does not. The value may
 * be a secret and is not repeated.
 */
export function unquotedText(line: string): string | null {
  const [, key, written = ''] = assignment.exec(line.trimStart()) ?? []
  if (key === undefined) return null
  const value = written.trimStart()
  if (bareItem.test(value)) return `text needs quotation marks, also in a list: ${key} = ["…", "…"]`
  return bareValue.test(value) ? `text needs quotation marks: ${key} = "…"` : null
}
