import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostics } from 'recheck'
import { literalsOf, type Pattern } from './patterns.ts'
import { root, sourceFiles } from './sources.ts'

/** Patterns that may take more than linear time, each with what bounds their input. None does. */
const reasons: Record<string, string> = {}

/** The checker as a program takes a sixth of the time; for machines that it was not built for, it is there in JavaScript. */
const system = process.platform === 'darwin' ? 'macos' : process.platform
const hasProgram = existsSync(join(root, `node_modules/recheck-${system}-${process.arch}`))
process.env.RECHECK_BACKEND = hasProgram ? 'native' : 'pure'
const { check } = await import('recheck')

/** Bounded by counts alone, so that no busy machine decides. Large patterns are tried with made-up texts. */
const bounds = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  maxNFASize: 5000,
  attackLimit: 10_000_000,
  maxInitialGenerationSize: 100,
  maxIteration: 3,
  randomSeed: 1,
}

/** What they read ships with the executable or the repository: nobody else can choose a text for them. */
const ourReaders = ['src/cli/help.ts', 'src/packaging/']
const readsOurTexts = ({ path }: Pattern): boolean => ourReaders.some((place) => path.startsWith(place))

/** The names of every bot in one pattern are longer: each was tried alone. */
const sourceLengthMax = 2000

const sources = sourceFiles('src')
const written = sources.flatMap(literalsOf)
const { built, files: buildingFiles } = await builtPatterns()

test('every pattern that reads what others sent takes linear time, whatever text it meets', async () => {
  const tried = [...written, ...built].filter(
    (pattern) => !readsOurTexts(pattern) && pattern.source.length < sourceLengthMax,
  )
  const vulnerable: string[] = []
  for (const [name, pattern] of new Map(tried.map((pattern) => [nameOf(pattern), pattern]))) {
    const found = await check(pattern.source, pattern.flags, bounds)
    if (found.status !== 'safe' && !(name in reasons)) vulnerable.push(`${pattern.path}: ${name} ${verdict(found)}`)
  }
  expect(vulnerable).toEqual([])
})

test('the exceptions name patterns and places that are there', () => {
  const names = new Set([...written, ...built].map(nameOf))
  expect(Object.keys(reasons).filter((name) => !names.has(name))).toEqual([])
  expect(ourReaders.filter((place) => !written.some(({ path }) => path.startsWith(place)))).toEqual([])
})

test('every file that builds patterns is heard', () => {
  const heard = new Set(built.map(({ path }) => path))
  expect(buildingFiles.filter((path) => !heard.has(path))).toEqual([])
})

test('a pattern is made from a literal or by `new RegExp`, so that none is missed', () => {
  const others = /(?<!new )\bRegExp\(/
  expect(sources.filter(({ text }) => others.test(text)).map(({ path }) => path)).toEqual([])
})

describe('the reading of literals', () => {
  const read = (text: string) => literalsOf({ path: 'src/a.ts', text }).map(nameOf)
  const cases: [string, string[]][] = [
    ["const a = /[/'`]\\//gu.test(b)", ["/[/'`]\\//gu"]],
    ['const a = b / c / d', []],
    ["const a = 'x'.length / 2 // of /all/", []],
    [`const a = \`\${b.replace(/"/g, \`\${c / 2}\`)}/x/\` + f(/y/)`, ['/"/g', '/y/']],
    ['return /a/.test(b) ? (c + d) / 2 : /e/', ['/a/', '/e/']],
  ]
  test.each(cases)('%s', (text, literals) => {
    expect(read(text)).toEqual(literals)
  })
})

const nameOf = ({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string => `/${source}/${flags}`

const verdict = (found: Diagnostics): string =>
  found.status === 'vulnerable' ? found.complexity.summary : `is unknown: ${found.status}`

async function builtPatterns(): Promise<{ built: Pattern[]; files: string[] }> {
  const program = Bun.spawn([process.execPath, `${import.meta.dir}/built-patterns.ts`], { cwd: root })
  return (await new Response(program.stdout).json()) as { built: Pattern[]; files: string[] }
}
