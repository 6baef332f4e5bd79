const file = 'docs/performance.md'
const begin = '<!-- bench: written by `bun run bench -- --write` -->'
const end = '<!-- bench: end -->'

const newPage = `# Performance

How fast Capture is against a bare \`Bun.serve\` that only answers, both under the same load on the same machine:
\`bun run bench\`. Ratios travel between machines; absolute figures do not.

${begin}
${end}
`

/** Puts the results between their marks in docs/performance.md; what people wrote around them stays. */
export async function writePerformancePage(report: string): Promise<string> {
  const existing = (await Bun.file(file).exists()) ? await Bun.file(file).text() : newPage
  const from = existing.indexOf(begin)
  const to = existing.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has lost the lines "${begin}" and "${end}"; put them back`)
  await Bun.write(file, `${existing.slice(0, from + begin.length)}\n\n${report}\n${existing.slice(to)}`)
  return file
}
