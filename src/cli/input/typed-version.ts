import { usageError } from '../command.ts'

/** The version that an option names, as `capture page history` numbers them; `null`: the option was not given. */
export function typedVersion(option: string, typed: string | undefined): number | null {
  if (typed === undefined) return null
  if (/^[1-9][0-9]{0,8}$/.test(typed)) return Number(typed)
  throw usageError(`${option} takes the number of a version (1, 2, …), not "${typed}".`)
}
