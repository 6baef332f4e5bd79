import type { AccountStore } from '../../account/account-store.ts'

/** What is known of the configuration that a box was opened by. */
export interface UsedConfiguration {
  dataDir: string
  /** Absolute; `null`: there is no file, and the defaults hold. */
  configFile: string | null
  /** Boxes that it was used for before. */
  otherBoxes(): string[]
}

/** Where a box is empty, and its configuration was used with another one before, it most likely names the wrong folder. `null`: nothing says so. */
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
