import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import {
  begins,
  clusterOnly,
  drizzlePiece,
  forCluster,
  forEveryEntry,
  loadsCluster,
  lookup,
  mayImport,
  namesSqlite,
  onlyIn,
  ownTimeOrChance,
  ownToSqlite,
  readsPages,
  statements,
  takesWriteLock,
} from './architecture/rooms.ts'
import {
  codeOf,
  filesBelow,
  filesCitedIn,
  roomOf,
  type SourceFile,
  sourceFiles,
  withoutComments,
} from './architecture/sources.ts'

const src = sourceFiles('src')
const inSrc = ({ path }: SourceFile): string => path.slice('src/'.length)

/** Imports of one file of `src/` by another. */
const ownImports = src.flatMap((from) =>
  from.imports.flatMap(({ file, when }) => (file?.startsWith('src/') ? [{ from: from.path, to: file, when }] : [])),
)
const packageImports = src.flatMap((from) =>
  from.imports.flatMap(({ specifier, file, when }) => (file === null ? [{ from: inSrc(from), specifier, when }] : [])),
)

/** What is loaded before a command has done anything, opening the box included. */
const loadedByCommands = new Set([
  'src/cli/commands.ts',
  'src/cli/with-box.ts',
  'src/storage/sqlite/operating-ports.ts',
])
// A set goes on with what is added to it meanwhile.
for (const path of loadedByCommands)
  for (const { from, to, when } of ownImports) if (from === path && when === 'start') loadedByCommands.add(to)

describe('rooms', () => {
  test('every folder of src is a room with rules', () => {
    expect([...new Set(src.map(({ path }) => roomOf(path)))].filter((room) => !(room in mayImport))).toEqual([])
  })

  test('the reading of imports finds all kinds of them', () => {
    const kinds = ['src/cli/open.ts src/storage/sqlite/capturing-ports.ts', 'src/main.ts src/cli/command-line.ts']
    const found = new Set(ownImports.map(({ from, to }) => `${from} ${to}`))
    expect(kinds.filter((kind) => !found.has(kind))).toEqual([])
  })

  test('a room imports only the rooms it may', () => {
    const crossing = ownImports.filter(({ from, to }) => roomOf(from) !== roomOf(to))
    const forbidden = crossing.filter(({ from, to }) => !mayImport[roomOf(from)]?.includes(roomOf(to)))
    expect(forbidden).toEqual([])
  })

  test('the rules leave no way round in a circle', () => {
    expect(circleIn(mayImport)).toBeNull()
  })

  test('no files import each other in a circle', () => {
    // Types as well: two files that need each other's types are one subject in two files.
    const byFile: Record<string, string[]> = {}
    for (const { from, to } of ownImports) byFile[from] = [...(byFile[from] ?? []), to]
    expect(circleIn(byFile)).toBeNull()
  })

  test('no folders import each other in a circle, but for a folder and what lies in it', () => {
    const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
    const byFolder: Record<string, string[]> = {}
    for (const [from, to] of ownImports.map(({ from, to }) => [folderOf(from), folderOf(to)] as const))
      if (!from.startsWith(to) && !to.startsWith(from)) byFolder[from] = [...(byFolder[from] ?? []), to]
    expect(circleIn(byFolder)).toBeNull()
  })

  test('one implementation of the ports knows nothing of another', () => {
    const backend = (path: string): string => path.split('/')[2] ?? ''
    const inStorage = ownImports.filter(({ from, to }) => roomOf(from) === 'storage' && roomOf(to) === 'storage')
    const others = inStorage.filter(({ from, to }) => backend(from) !== backend(to))
    // Whoever changes a folder takes its lock, and whoever writes a file makes it durable.
    expect(others.filter(({ to }) => !['lock', 'disk'].includes(backend(to)))).toEqual([])
  })

  test('SQLite is named in storage, by the file that picks it and by threads, and nowhere else', () => {
    const naming = ownImports.filter(
      ({ from, to }) => roomOf(from) !== 'storage' && to.startsWith('src/storage/sqlite/'),
    )
    expect(naming.length).toBeGreaterThan(0)
    expect(naming.filter(({ from }) => !namesSqlite.test(from))).toEqual([])
  })

  test('a box that is no node of a cluster loads nothing that only a cluster needs', () => {
    const isGate = ({ from, to, when }: (typeof ownImports)[number]): boolean =>
      when === 'later' && loadsCluster.includes(from) && forCluster.test(to)
    const loading = ownImports.filter((found) => found.when !== 'type' && !isGate(found))
    const loaded = new Set(src.map(({ path }) => path).filter((path) => begins.test(path) && !forCluster.test(path)))
    // A set goes on with what is added to it meanwhile.
    for (const file of loaded) for (const { from, to } of loading) if (from === file) loaded.add(to)
    expect(loaded.size).toBeGreaterThan(500)
    expect([...loaded].filter((file) => clusterOnly.test(file))).toEqual([])
  })

  test('an operation reads no terminal, option or environment, and ends no process', () => {
    const surroundings =
      /\b(?:process|console|commander)\b|\bBun\.(?:argv|env|main|stdin|stdout|stderr|file|write)\b|\\u001b/
    const operations = src.filter(({ path }) => roomOf(path) === 'operations')
    expect(operations.length).toBeGreaterThan(0)
    expect(operations.filter(({ text }) => surroundings.test(codeOf(text))).map(({ path }) => path)).toEqual([])
  })

  test('a command begins without the texts of all languages', () => {
    expect([...loadedByCommands].filter((path) => path.startsWith('src/language/texts/'))).toEqual([])
  })

  test('a command begins without Node’s crypto, compression, streams and sockets, which take milliseconds', () => {
    const slow = /^node:(?:crypto|zlib|stream|net|tls|https?)(?:\/|$)/
    const loading = packageImports.filter(({ from, when }) => when === 'start' && loadedByCommands.has(`src/${from}`))
    expect(loading.length).toBeGreaterThan(20)
    expect(loading.filter(({ specifier }) => slow.test(specifier))).toEqual([])
  })

  test('the browser script is made of its own files alone', () => {
    const reached = new Set(['src/client/main.ts'])
    for (const path of reached) for (const { from, to } of ownImports) if (from === path) reached.add(to)
    expect([...reached].filter((path) => roomOf(path) !== 'client')).toEqual([])
  })
})

describe('modules', () => {
  test('everything that the program or its build imports is installed on an operator’s machine too', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>
    }
    const nameOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    const names = new Set(packageImports.map(({ specifier }) => nameOf(specifier)))
    const packages = [...names].filter((name) => !/^(?:node|bun):|^bun$/.test(name))
    expect(packages.length).toBeGreaterThan(10)
    expect(packages.filter((name) => !Object.hasOwn(dependencies, name))).toEqual([])
  })

  test.each(onlyIn.map(({ module, places }) => [String(module), module, places] as const))(
    '%s is imported only in its place',
    (_, module, places) => {
      const imports = packageImports.filter(({ specifier }) => module.test(specifier))
      expect(imports.length).toBeGreaterThan(0)
      expect(imports.filter(({ from }) => !places.some((place) => from.startsWith(place)))).toEqual([])
    },
  )

  test('every package that src imports has its place', () => {
    const packages = packageImports.filter(({ specifier }) => !/^(node|bun)(:|$)/.test(specifier))
    expect(packages.filter(({ specifier }) => !onlyIn.some(({ module }) => module.test(specifier)))).toEqual([])
  })

  test('the environment is read in config alone, but for the one line of main.ts', () => {
    const reading = src
      .filter((file) => roomOf(file.path) !== 'config')
      .flatMap((file) => codeOf(file.text).match(/^.*\b(?:process|Bun|import\.meta)\.env\b.*$/gm) ?? [])
    expect(reading).toEqual(["Bun.env.NODE_ENV ??= ''"])
  })

  test('time and chance come from lib, but for the listed places', () => {
    const own =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\brandom(?:UUID|Bytes|Int)|getRandom/
    const files = src.filter((file) => roomOf(file.path) !== 'client' && own.test(codeOf(file.text))).map(inSrc)
    expect(files).toEqual(Object.keys(ownTimeOrChance).sort())
  })
})

describe('SQL', () => {
  const files = src.filter(({ path }) => path.startsWith(statements))
  const speaksOfPages = ({ path }: SourceFile): boolean => readsPages.includes(path.slice(statements.length))
  const isMixed = ({ path, text }: SourceFile): boolean =>
    !path.endsWith('schema.ts') && drizzlePiece.test(withoutComments(text))
  const isOwnToSqlite = ({ path, text }: SourceFile): boolean =>
    !path.startsWith(lookup) && ownToSqlite.test(withoutComments(text))

  test("is Drizzle's or plain, never a piece of the one in the other", () => {
    expect(files.filter(isMixed).map(({ path }) => path)).toEqual([])
  })

  test('is plain where it runs for every entry', () => {
    const hot = files.filter(({ path }) => forEveryEntry.test(path))
    expect(hot.length).toBeGreaterThan(5)
    expect(hot.filter(({ imports }) => imports.some(({ specifier }) => /^drizzle-orm/.test(specifier)))).toEqual([])
  })

  test('tells SQLite how to look rows up in one folder alone', () => {
    expect(files.some(({ path, text }) => path.startsWith(lookup) && ownToSqlite.test(text))).toBe(true)
    expect(files.filter((file) => isOwnToSqlite(file) && !speaksOfPages(file)).map(({ path }) => path)).toEqual([])
  })

  test('takes the write lock at the start of a transaction in one file alone', () => {
    const takers = files.filter(({ text }) => takesWriteLock.test(text)).map(({ path }) => path)
    expect(takers).toEqual([`${statements}database/write-transaction.ts`])
  })

  test('speaks of rows by number where it reads pages, and those files are still there', () => {
    expect(files.filter((file) => speaksOfPages(file) && isOwnToSqlite(file))).toHaveLength(readsPages.length)
  })
})

describe('files', () => {
  const ours = [...src, ...sourceFiles('test'), ...sourceFiles('bench')]

  test('are named in kebab-case', () => {
    const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|d))?\.[a-z]+$/
    const folder = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
    const named = (path: string): boolean =>
      path.split('/').every((part, at, parts) => (at === parts.length - 1 ? kebab : folder).test(part))
    expect(['src', 'test', 'bench'].flatMap(filesBelow).filter((path) => !named(path))).toEqual([])
  })

  test('name the file they import, extension and all', () => {
    const extensionless = ours.flatMap(({ path, imports }) =>
      imports.filter(({ file }) => file !== null && !/\.[a-z]+$/.test(file)).map(({ specifier }) => [path, specifier]),
    )
    expect(extensionless).toEqual([])
  })

  test('have no type any', () => {
    const anyType = /(?:[:<|&,(=]|\b(?:as|satisfies|extends))\s*any\b(?!\s*[:(=.])/
    const using = ours.filter(
      ({ text }) => anyType.test(codeOf(text)) || /noExplicitAny|@ts-(?:ignore|nocheck)/.test(text),
    )
    expect(using.map(({ path }) => path).filter((path) => path !== 'test/architecture.test.ts')).toEqual([])
  })

  test('of src keep no state of a module', () => {
    expect(src.filter(({ text }) => /^(?:export )?(?:let|var)\s/m.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('cite only files that are there', () => {
    const there = ['src', 'test', 'bench', 'docs', 'drizzle', 'examples'].flatMap(filesBelow).map((path) => `/${path}`)
    const cited = [...src, ...sourceFiles('bench')].flatMap(({ path, text }) =>
      filesCitedIn(text).map((file) => ({ path, file })),
    )
    expect(cited.length).toBeGreaterThan(10)
    expect(cited.filter(({ file }) => !there.some((known) => known.endsWith(`/${file}`)))).toEqual([])
  })

  test('of src export no two types of one name', () => {
    const exported = /^export (?:abstract )?(?:interface|type|class) (\w+)/gm
    // src/client goes to browsers and has a vocabulary of its own.
    const names = src
      .filter(({ path }) => roomOf(path) !== 'client')
      .flatMap(({ text }) => [...text.matchAll(exported)].map(([, name = '']) => name))
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('of src name no value after somebody who told, said, held or found it', () => {
    const vague =
      /\b(?:told|said|held|findings?|(?:Told|Said|Held|Findings?)(?:[A-Z]\w*)?|[A-Z]\w*(?:Told|Said|Findings?))\b/g
    const named = src.flatMap(({ path, text }) => (namesOf(text).match(vague) ?? []).map((name) => `${path}: ${name}`))
    expect(named).toEqual([])
  })

  test('are no barrels and no drawers', () => {
    const drawer = /(?:^|\/)(?:index|utils?|helpers?|common|misc|shared)(?:\.ts|\/)/
    const passedOn = src.filter(({ path, text }) => drawer.test(path) || /^export \*/m.test(text))
    expect(passedOn.map(({ path }) => path)).toEqual([])
  })
})

/** Code without the text of templates and double-quoted strings, which `codeOf` leaves. */
const namesOf = (text: string): string =>
  codeOf(text)
    .replace(/`(?:[^`\\]|\\.)*`/g, '``')
    .replace(/"[^"\n]*"/g, '""')

/** A circle in the graph; `null`: none. */
function circleIn(graph: Readonly<Record<string, readonly string[]>>): string[] | null {
  const done = new Set<string>()
  const walk = (node: string, way: string[]): string[] | null => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of graph[node] ?? []) {
      const circle = walk(next, [...way, node])
      if (circle !== null) return circle
    }
    done.add(node)
    return null
  }
  for (const node of Object.keys(graph)) {
    const circle = walk(node, [])
    if (circle !== null) return circle
  }
  return null
}
