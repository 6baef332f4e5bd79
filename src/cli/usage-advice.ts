import type { Command as Commander, CommanderError } from 'commander'

/** Enough to tell it from a misspelled option, and cheap: whether it is an address is the command's to say. */
const addressLike = /^-[^@\s]*@[^@\s][^@\s.]*\.[^@\s]+$/

/** A refused command line, and what the library said of it. */
export interface Misused {
  error: Pick<CommanderError, 'code'>
  message: string
  program: Commander
  argv: readonly string[]
  /** Full names of all commands: `account remove`. */
  names: readonly string[]
}

/** The advice where no command is spelled like the word. */
export const allCommands = '(capture help lists every command)'

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
export function unknownCommandOfTwo(word: string, names: readonly string[]): string | null {
  const meant = names.filter((name) => name.split(' ')[1] === word)
  if (meant.length === 0) return null
  return `error: unknown command '${word}'\n(Did you mean ${meant.length > 1 ? 'one of ' : ''}${meant.join(', ')}?)\n`
}

/** The word that was taken for an option though it looks like an e-mail address. */
const addressIn = (message: string, argv: readonly string[]): string | undefined =>
  argv.find((word) => message.includes(`'${word}'`) && addressLike.test(word))
