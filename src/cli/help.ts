import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command as Commander, type CommanderError, Help } from 'commander'
import { nearest } from '../lib/suggestion.ts'
import { hung, wrappedLines } from './output/text.ts'

/** `capture help [COMMAND|PAGE]`, which supports commands of two words, unlike the library's own. */
export function addHelpCommand(program: Commander, columns: number, print: (text: string) => void): Commander {
  const help = program
    .command('help')
    .description('Says how a command is used, or prints a page of the manual')
    .argument('[COMMAND|PAGE...]')
  program.addHelpText('after', () => `\n${listedPages(columns)}`)
  return help.action((words: string[]) => {
    const [page, ...more] = words
    if (page !== undefined && more.length === 0 && helpPages().some(({ name }) => name === page))
      return print(helpPageText(page, columns))
    let found = program
    for (const word of words) {
      // `capture help export acme` shows the help for `export`.
      if (found.commands.length > 0) found = subcommand(found, word)
    }
    found.help()
  })
}

function listedPages(columns: number): string {
  const pages = helpPages()
  const width = Math.max(...pages.map(({ name }) => name.length))
  const lines = pages.map(({ name, title }) => hung(`  ${name.padEnd(width)}  `, title, columns))
  return ['Pages of the manual, for `capture help PAGE`:', ...lines].join('\n')
}

function subcommand(parent: Commander, word: string): Commander {
  const found = parent.commands.find((command) => command.name() === word)
  if (found) return found
  const ofTwo = unknownCommandOfTwo(word, commandsBelow(parent).map(fullName))
  if (ofTwo !== null) return parent.error(ofTwo.trimEnd())
  const meant = nearest(word, [
    ...parent.commands.map((command) => command.name()),
    ...helpPages().map(({ name }) => name),
  ])
  return parent.error(`error: unknown command '${word}'\n${meant === null ? allCommands : `(Did you mean ${meant}?)`}`)
}

/** Lists every command by its full name, such as `key new`, where the library would only list `key`. */
export function formatHelp(command: Commander, helper: Help): string {
  const full = Object.assign(helper, { visibleCommands: commandsBelow, subcommandTerm: fullTerm })
  return Help.prototype.formatHelp(command, full)
}

/** Joins the source's lines into paragraphs. Indented examples stay as they are, to be copied. */
export function helpDetails(details: string, columns: number): string {
  const lines: string[] = []
  for (const line of details.split('\n')) {
    const before = lines.at(-1)
    if (before === undefined || !runsOn(before, line)) lines.push(line)
    else lines[lines.length - 1] = `${before} ${line}`
  }
  return lines.flatMap((line) => (isExample(line) ? [line] : wrappedLines(line, columns))).join('\n')
}

const isExample = (line: string): boolean => line.startsWith(' ')

const runsOn = (before: string, line: string): boolean =>
  !isExample(before) && !isExample(line) && !/[.:]$/.test(before) && !line.startsWith('--json')

function commandsBelow(command: Commander): Commander[] {
  // `backup FILE` is a command, and `backup now` is another.
  return command.commands.flatMap((child) => {
    const below = commandsBelow(child)
    return below.length === 0 || child.registeredArguments.length > 0 ? [child, ...below] : below
  })
}

function fullTerm(command: Commander): string {
  const words = command.registeredArguments.map((word) => {
    const name = word.name() + (word.variadic ? '...' : '')
    return word.required ? `<${name}>` : `[${name}]`
  })
  return [fullName(command), ...words].join(' ')
}

const fullName = (command: Commander): string => path(command).join(' ')

function path(command: Commander): string[] {
  return command.parent ? [...path(command.parent), command.name()] : []
}

/** Enough to tell it from a misspelled option, and cheap: whether it is an address is the command's to say. */
const addressLike = /^-[^@\s]*@[^@\s][^@\s.]*\.[^@\s]+$/

interface Misused {
  error: Pick<CommanderError, 'code'>
  message: string
  program: Commander
  argv: readonly string[]
  /** Full names of all commands: `account remove`. */
  names: readonly string[]
}

const allCommands = '(capture help lists every command)'

/** What the library says of a wrong command line, or better where we know what was meant. */
export function usageAdvice({ error, message, program, argv, names }: Misused): string {
  if (error.code === 'commander.unknownCommand') {
    const [word = ''] = program.args
    return (
      unknownCommandOfTwo(word, names) ?? (message.includes('(Did you mean') ? message : `${message}${allCommands}\n`)
    )
  }
  const address = error.code === 'commander.unknownOption' ? addressIn(message, argv) : undefined
  if (address === undefined) return message
  return `${message}(An address that begins with - stands last, and -- before it: … -- ${address})\n`
}

/** The second word alone: `remove` for `account remove`. The library looks for first words that are spelled like it. */
function unknownCommandOfTwo(word: string, names: readonly string[]): string | null {
  const meant = names.filter((name) => name.split(' ')[1] === word)
  if (meant.length === 0) return null
  return `error: unknown command '${word}'\n(Did you mean ${meant.length > 1 ? 'one of ' : ''}${meant.join(', ')}?)\n`
}

/** The word that was taken for an option though it looks like an email address. */
const addressIn = (message: string, argv: readonly string[]): string | undefined =>
  argv.find((word) => message.includes(`'${word}'`) && addressLike.test(word))

/** A page of docs/, which the executable contains for those who have nothing else. */
interface HelpPage {
  /** What `capture help` calls it: its file's name without `.md`. */
  name: string
  title: string
}

/** Pages about the sources, which whoever has the executable alone does not have. */
const developersPages = ['architecture', 'performance']

const helpPages = (): HelpPage[] =>
  readdirSync(folder)
    .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
    .filter((name) => !developersPages.includes(name))
    .sort()
    .map((name) => ({ name, title: /^# (.+)/.exec(read(name))?.[1] ?? name }))

/** The page as plain text, without pictures. Links to other pages name the command that prints them. */
function helpPageText(name: string, columns: number): string {
  const linked = read(name)
    .split('\n')
    .filter((line) => !line.startsWith('<picture>'))
    .join('\n')
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
