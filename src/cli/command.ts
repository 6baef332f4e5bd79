import type { Publisher } from '../account/publisher.ts'
import type { ConsoleBox, ConsoleStores } from '../console/console-box.ts'
import { OperatorError } from '../lib/operator-error.ts'
import type { Doable, Done } from '../operations/act.ts'
import type { OnRecordNotice } from '../operations/record/catch-up.ts'
import type { CommandAct } from './audit/noted-command.ts'
import type { CommandBox } from './open.ts'
import type { Layout } from './output/style.ts'
import type { TextTable } from './output/table.ts'
import type { Session } from './session.ts'

/** 0: done. 1: it failed. 2: wrong usage. 3: it needs consent. */
export type ExitStatus = 0 | 1 | 2 | 3

/** An argument after the command's name; optional ones come last. */
interface ArgumentSpec {
  summary: string
  optional?: boolean
  choices?: readonly string[]
}

/** `--name`, or with `value` (its placeholder in the help) `--name <VALUE>`. The key `dryRun` is written `--dry-run`. */
interface OptionSpec {
  summary: string
  value?: string
  choices?: readonly string[]
}

type ArgumentSpecs = Record<string, ArgumentSpec>
type OptionSpecs = Record<string, OptionSpec>

type Word<S> = S extends { choices: readonly (infer Choice)[] } ? Choice : string
type ArgumentValues<A extends ArgumentSpecs> = {
  [K in keyof A]: A[K] extends { optional: true } ? Word<A[K]> | undefined : Word<A[K]>
}
type OptionValues<O extends OptionSpecs> = {
  [K in keyof O]: O[K] extends { value: string } ? Word<O[K]> | undefined : boolean
}

interface Input<A extends ArgumentSpecs, O extends OptionSpecs> {
  args: ArgumentValues<A>
  options: OptionValues<O>
  json: boolean
}

/** What a command prints at its end. Control characters in sentences are escaped. */
export interface CommandResult {
  /** Printed with `--json`; absent: with that, the command prints by itself. */
  json?: unknown
  /** Printed without: a sentence, several, a table, or a text that is laid out already. */
  text: string | readonly string[] | TextTable | ((layout: Layout) => string)
  /** Sentences on stderr, behind either. */
  notes?: readonly string[]
  /** 0 if absent. */
  exitStatus?: ExitStatus
}

export type ActingBox = CommandBox & ConsoleStores & Pick<ConsoleBox, 'address'>
export type ActingCommand = Publisher & { caller: null; onNotice: OnRecordNotice }

export interface CommandSession extends Session {
  /**
   * Opens the box that the configuration names for one piece of work, and closes it however that ends.
   *
   * @param act what the audit log says of it; absent: the work changes nothing and reads no person
   * @throws NoBoxYet when there is none.
   */
  withBox<T>(work: (box: CommandBox) => Promise<T>, act?: CommandAct<T>): Promise<T>
  /** Does an act on the box that the configuration names, and writes it down in the audit log. @throws NoBoxYet when there is none. */
  act<In, D extends Done<unknown>>(act: Doable<In, ActingBox, ActingCommand, D>, input: NoInfer<In>): Promise<D>
}

interface Description<A extends ArgumentSpecs, O extends OptionSpecs> {
  /** As typed: `export`, `key new`. */
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Details and examples for `capture help NAME`. */
  details?: string
  args?: A
  options?: O
  printsResult?: boolean
  /** Imports its heavy parts itself, so that every other command starts fast. A status alone: it has printed. */
  run(input: Input<A, O>, session: CommandSession): Promise<ExitStatus | CommandResult>
}

export interface AnyInput {
  args: Record<string, string | undefined>
  options: Record<string, string | boolean | undefined>
  json: boolean
}

/** A command of any arguments and options, as the list in commands.ts holds it. */
export interface Command extends Omit<Required<Description<ArgumentSpecs, OptionSpecs>>, 'details' | 'run'> {
  details?: string
  isRareRepair?: boolean
  run(input: AnyInput, session: CommandSession): Promise<ExitStatus | CommandResult>
}

/** Describes a command; the types of `args` and `options` in `run` follow from their descriptions. */
export const defineCommand = <
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(
  description: Description<A, O>,
): Command => ({ args: {}, options: {}, printsResult: true, ...description })

/** A usage error that only the command itself can detect: exit status 2. */
export const usageError = (message: string): OperatorError => new OperatorError(message, 2)
