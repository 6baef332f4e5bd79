import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { refusalTable } from '../src/capture/refusal.ts'
import type { Command } from '../src/cli/command.ts'
import { commands } from '../src/cli/commands.ts'
import { configSchema } from '../src/config/config.ts'
import { environmentName, tokenVariable } from '../src/config/environment.ts'
import { decodeToml, leaves } from '../src/lib/toml/decode.ts'
import type { Shapes, TableShape } from '../src/lib/toml/shape.ts'
import type { TomlFault } from '../src/lib/toml/value.ts'
import { harmKinds } from '../src/site/harm.ts'
import { warningKinds } from '../src/site/site-faults.ts'
import { siteSchema } from '../src/site/site-schema.ts'
import { anchors, codeBlocks, codeLines, pages, relativeLinks, root } from './documentation/markdown.ts'

const all = pages()
const page = (path: string) => {
  const found = all.find((page) => page.path === path)
  if (found === undefined) throw new Error(`there is no ${path}`)
  return found
}

/** Words of every documented call of the program, without the program's own name. */
const calls = all
  .flatMap((page) => codeLines(page).map((line) => ({ path: page.path, line })))
  .flatMap(({ path, line }) =>
    [...line.matchAll(/(?:^|[\s(])(?:\.\/)?capture((?: +[^\s|&;<>()]+)+)/g)].map(([, words = '']) => ({
      path,
      line,
      words: words.trim().split(/ +/),
    })),
  )
  // `capture.toml`-like names and the heads of sentences are no calls.
  .filter(({ words }) => /^(?:[a-z]+|-.*)$/.test(words[0] ?? ''))

describe('commands', () => {
  test('are found in the documentation at all', () => {
    expect(calls.length).toBeGreaterThan(commands.length)
  })

  test('that are documented exist', () => {
    expect(calls.filter(({ words }) => !isHelp(words) && commandOf(words) === null)).toEqual([])
  })

  test('that exist are documented', () => {
    const documented = new Set(calls.map(({ words }) => commandOf(words)?.name))
    expect(commands.map(({ name }) => name).filter((name) => !documented.has(name))).toEqual([])
  })

  test('are documented with options that they have', () => {
    const unknown = calls.filter(({ words }) => {
      const command = commandOf(words)
      return command !== null && words.some((word) => word.startsWith('--') && !optionsOf(command).has(word))
    })
    expect(unknown).toEqual([])
  })

  test('have every option documented', () => {
    const documented = new Set(all.flatMap(codeLines).flatMap((line) => line.match(/--[a-z-]+/g) ?? []))
    const missing = commands.flatMap((command) => [...optionsOf(command)].filter((option) => !documented.has(option)))
    expect(missing).toEqual([])
  })
})

/** The keys and kinds that the rows of a page's tables begin with. */
const tableKeys = (path: string): Set<string> =>
  new Set(
    page(path)
      .text.split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...line.matchAll(/`([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)`/g)].map(([, key = '']) => key)),
  )

describe('keys', () => {
  test('of capture.toml are all in docs/configuration.md', () => {
    const documented = tableKeys('docs/configuration.md')
    const keys = leaves(configSchema).map(({ path }) => path.join('.'))
    expect(keys.filter((key) => !documented.has(key))).toEqual([])
  })

  test('of capture.toml have in docs/configuration.md the defaults that config.example.toml writes out', () => {
    const example = Bun.TOML.parse(readFileSync(join(root, 'config.example.toml'), 'utf8')) as Record<string, unknown>
    const written = [...page('docs/configuration.md').text.matchAll(/^\| `([a-z0-9_.]+)` \| `([^`]+)` \|/gm)]
    expect(written.length).toBeGreaterThan(50)
    const wrong = written.filter(([, key = '', text = '']) => {
      const [first = '', second] = key.split('.')
      const value = second === undefined ? example[first] : (example[first] as Record<string, unknown>)[second]
      return !Bun.deepEquals((Bun.TOML.parse(`value = ${text}`) as { value: unknown }).value, value)
    })
    expect(wrong.map(([row]) => row)).toEqual([])
  })

  test('of environment variables that begin with CAPTURE_ are known, so that no command warns about an example', () => {
    const manual = all.filter(({ path }) => !path.startsWith('docs/decisions/'))
    const named = manual.flatMap(({ text }) => text.match(/\bCAPTURE_[A-Z][A-Z0-9_]*/g) ?? [])
    const known = new Set([tokenVariable, ...leaves(configSchema).map(({ path }) => environmentName(path))])
    expect(named).toContain('CAPTURE_DATA_DIR')
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('of site.toml are all in docs/site-folder.md', () => {
    const documented = tableKeys('docs/site-folder.md')
    const lists = [
      'forms',
      'deliveries',
      'goals',
      'funnels',
      'splits',
      'redirects',
      'pages',
      'images',
      'files',
      'assets',
    ]
    const listKeys = lists.flatMap((list) => keysOfEntries(list))
    const keys = [...leaves(siteSchema).map(({ path }) => path.join('.')), ...listKeys]
    expect(listKeys).toContain('forms.consent_text_id')
    expect(keys.filter((key) => !documented.has(key) && !lists.includes(key))).toEqual([])
  })

  test.each([
    ['toml capture.toml', configSchema],
    ['toml site.toml', siteSchema],
  ] as const)('of every example marked `%s` are accepted', (marked, schema) => {
    const examples = all.flatMap(codeBlocks).filter(({ info }) => info === marked)
    expect(examples.length).toBeGreaterThan(0)
    expect(examples.flatMap(({ text }) => faultsOf(text, schema))).toEqual([])
  })
})

describe('checks', () => {
  const rowsOf = (path: string): Set<string> =>
    new Set(
      [...page(path).text.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) => cell.match(/[a-z_]+/g) ?? []),
    )

  test('are all explained in docs/why-nothing-arrives.md', () => {
    const explained = rowsOf('docs/why-nothing-arrives.md')
    expect(Object.keys(refusalTable).filter((check) => !explained.has(check))).toEqual([])
  })

  test('that a form can meet are all in docs/forms.md, or those of files in docs/files.md, with code and status', () => {
    const text = page('docs/forms.md').text + page('docs/files.md').text
    const ofForms = Object.entries(refusalTable).filter(
      ([name]) => !['tracking_key', 'events', 'consent'].includes(name),
    )
    const missing = ofForms.filter(
      ([name, { code, status }]) => !text.includes(`| \`${name}\` | ${status} \`${code}\``),
    )
    expect(missing.map(([name]) => name)).toEqual([])
  })
})

test.each([
  ['harm', harmKinds],
  ['warnings', warningKinds],
])('kinds of %s are all explained in docs/publishing.md', (_, kinds) => {
  const explained = tableKeys('docs/publishing.md')
  expect(kinds.filter((kind) => !explained.has(kind))).toEqual([])
})

describe('decisions', () => {
  test('have each a number of their own, which their title repeats', () => {
    const numbered = all.flatMap(({ path, text }) => {
      const number = /^docs\/decisions\/(\d{4})-/.exec(path)?.[1]
      return number === undefined ? [] : [{ number, title: text.slice(0, text.indexOf(' ', 2)) }]
    })
    expect(numbered.filter(({ number, title }) => title !== `# ${Number(number)}.`)).toEqual([])
    expect(new Set(numbered.map(({ number }) => number)).size).toBe(numbered.length)
  })

  test('are all in their index, under their titles', () => {
    const index = page('docs/decisions/README.md').text
    const missing = all.filter(({ path, text }) => {
      const [, file, number] = /^docs\/decisions\/((\d{4})-.*)/.exec(path) ?? []
      const title = /^# \d+\. (.*)/.exec(text)?.[1]
      return file !== undefined && !index.includes(`| ${Number(number)} | [${title}](${file}) |`)
    })
    expect(missing.map(({ path }) => path)).toEqual([])
  })
})

describe('links', () => {
  test('lead to files and headings that are there', () => {
    const broken = all.flatMap((from) =>
      relativeLinks(from)
        .filter((address) => !leadsSomewhere(from.path, address))
        .map((address) => `${from.path}: ${address}`),
    )
    expect(broken).toEqual([])
  })
})

const faultsOf = (text: string, schema: TableShape<Shapes>): TomlFault[] => decodeToml(text, schema).faults

/** The keys of a list of tables, as the fault for an unknown one names them. */
function keysOfEntries(list: string): string[] {
  const unknown = faultsOf(`[[${list}]]\nnot_a_key = 1\n`, siteSchema).find(({ message }) =>
    message.startsWith('no such setting'),
  )
  const known = unknown?.message.replace(/^no such setting; possible here: /, '').split(', ') ?? []
  return known.map((key) => `${list}.${key}`)
}

function leadsSomewhere(from: string, address: string): boolean {
  const [file = '', anchor] = address.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), file))
  if (anchor === undefined) return existsSync(join(root, path))
  return anchors(page(path)).includes(anchor)
}

const isHelp = ([first = '']: string[]): boolean => first === 'help' || first === '--help' || first === '--version'

/** The command that the words call; `null`: there is none. */
function commandOf(words: string[]): Command | null {
  const call = words.slice(0, 3).join(' ')
  const found = commands.filter(({ name }) => `${call} `.startsWith(`${name} `))
  // `backup now` also begins as `backup` does.
  return found.sort((one, other) => other.name.length - one.name.length)[0] ?? null
}

function optionsOf(command: Command): Set<string> {
  const own = Object.keys(command.options).map(
    (key) => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  )
  return new Set([...own, '--config', ...(command.printsResult ? ['--json'] : [])])
}
