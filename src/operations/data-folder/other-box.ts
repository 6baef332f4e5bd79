import type { AccountStore } from '../../account/account-store.ts'

/** The configuration that a box was opened with. */
interface UsedConfiguration {
  dataDir: string
  /** Absolute; `null`: there is no file, and the defaults apply. */
  configFile: string | null
  /** Other boxes that the configuration was used with before. */
  otherBoxes(): string[]
}

/** A warning that `data_dir` is probably misspelt: the box is empty, and its configuration was used with another one. `null`: no. */
export async function otherBoxNotice(
  accounts: Pick<AccountStore, 'list'>,
  used: UsedConfiguration,
): Promise<string | null> {
  const [other] = (await accounts.list()).length === 0 ? used.otherBoxes() : []
  if (other === undefined) return null
  return `The box in ${used.dataDir} is new and empty: nothing is served from it. ${otherBoxFound(other, used)} ${otherBoxAdvice(other)} If a new box is meant, \`capture apply DIR\` fills it.`
}

export const otherBoxFound = (other: string, { configFile }: Pick<UsedConfiguration, 'configFile'>): string =>
  `${configFile === null ? 'The defaults were' : `The configuration ${configFile} was`} used for the box in ${other} before.`

export const otherBoxAdvice = (other: string): string => `If that one is meant, set data_dir = "${other}".`

/** Describes the state after a restore was killed between its two renames. */
export const folderGone = (dataDir: string): string =>
  `The data folder ${dataDir} is missing: a restore moved the earlier one aside and was interrupted.`

export const folderGoneAdvice = (dataDir: string, aside: string): string =>
  `Run the restore again; or take the earlier folder back: mv ${aside} ${dataDir}. To begin with a new box, move ${aside} elsewhere first.`
