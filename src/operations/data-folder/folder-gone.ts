/** Describes the state after a restore was killed between its two renames. */
export const folderGone = (dataDir: string): string =>
  `The data folder ${dataDir} is missing: a restore moved the earlier one aside and was interrupted.`

export const folderGoneAdvice = (dataDir: string, aside: string): string =>
  `Run the restore again; or take the earlier folder back: mv ${aside} ${dataDir}. To begin with a new box, move ${aside} elsewhere first.`
