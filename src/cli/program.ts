import { Argument, Command as Commander, CommanderError, Option } from 'commander'
import { type AnyInput, type Command, usageError } from './command.ts'
import { addHelpCommand, formatHelp, helpDetails, usageAdvice } from './help.ts'

interface Call {
  command: Command
  input: AnyInput
  configFile: string | undefined
}

/** The width of a help text that goes to a file or pipe. */
const helpColumns = 80

type ParsedCommandLine = Call | { printed: string }

interface CommandLineOptions {
  commands: Command[]
  version: string
  /** Of the terminal that helps are printed to; absent: it is none. */
  columns?: number | undefined
}

/**
 * Parses the words after the program's name.
 *
 * @throws OperatorError with exit status 2 for an unknown command or option, a missing or superfluous word.
 */
export function parseCommandLine(
  argv: string[],
  { commands, version, columns = helpColumns }: CommandLineOptions,
): ParsedCommandLine {
  let call: Call | undefined
  const out: string[] = []
  const err: string[] = []
  const program = new Commander('capture')
    .description('Landing pages, form capture, events and tracked links on your own domains.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.push(text),
      writeErr: (text) => err.push(text),
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
    })
    .configureHelp({ formatHelp, minWidthToWrap: 1 })
    .addOption(configOption())
  for (const command of inQuestion(commands, argv)) {
    addCommand({ program, columns }, command, (input, configFile) => {
      call = { command, input, configFile: configFile ?? program.opts<{ config?: string }>().config }
    })
  }
  addHelpCommand(program, columns, (text) => out.push(text)).addOption(configOption())

  try {
    program.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const names = commands.map(({ name }) => name)
    if (error.exitCode !== 0) throw usageError(usageAdvice({ error, message: err.join(''), program, argv, names }))
  }
  return call ?? { printed: out.join('') }
}

/**
 * The commands that the words may call, because describing all of them to Commander takes longer than running many of them. The
 * general help and the advice for an unknown command need them all.
 */
function inQuestion(commands: Command[], [first]: string[]): Command[] {
  const named = commands.filter(({ name }) => name.split(' ')[0] === first)
  return named.length > 0 ? named : commands
}

function addCommand(
  { program, columns }: { program: Commander; columns: number },
  command: Command,
  chosen: (input: AnyInput, configFile: string | undefined) => void,
): void {
  const words = command.name.split(' ')
  const name = words.pop() ?? command.name
  const parent = words.reduce(group, program)
  const made = parent
    .command(name)
    .description(command.summary)
    .showHelpAfterError(`(capture help ${command.name} says how it is used)`)
  for (const [key, spec] of Object.entries(command.args)) made.addArgument(argument(key, spec))
  for (const [key, spec] of Object.entries(command.options)) made.addOption(option(key, spec))
  if (command.printsResult) made.option('--json', 'print the result as JSON')
  made.addOption(configOption())
  if (command.isRareRepair) made.helpGroup('Rare repairs:')
  if (command.details) made.addHelpText('after', `\n${helpDetails(command.details, columns)}`)
  made.action(() => {
    const { json, config, ...typed } = made.opts<Record<string, string | boolean | undefined>>()
    const options: AnyInput['options'] = {}
    for (const [key, spec] of Object.entries(command.options))
      options[key] = typed[key] ?? (spec.value ? undefined : false)
    const args = Object.fromEntries(Object.keys(command.args).map((key, index) => [key, made.args[index]]))
    chosen({ args, options, json: json === true }, typeof config === 'string' ? config : undefined)
  })
}

/** The parent command for a first word such as `key`, made when it is first needed. */
function group(parent: Commander, word: string): Commander {
  return parent.commands.find((command) => command.name() === word) ?? parent.command(word).helpCommand(false)
}

function argument(key: string, spec: Command['args'][string]): Argument {
  const name = key.toUpperCase()
  const made = new Argument(spec.optional ? `[${name}]` : `<${name}>`, spec.summary)
  return spec.choices ? made.choices(spec.choices) : made
}

function option(key: string, spec: Command['options'][string]): Option {
  const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const made = new Option(spec.value ? `${flag} <${spec.value}>` : flag, spec.summary)
  return spec.choices ? made.choices(spec.choices) : made
}

function configOption(): Option {
  return new Option('--config <FILE>', 'the configuration (default: ./capture.toml, then /etc/capture/capture.toml)')
}
