/** What a restore that was killed between its two renames has left. */
export const folderGone = (dataDir: string): string =>
  `The data folder ${dataDir} is gone, and a restore has moved one aside that was there before.`

export const folderGoneAdvice = (dataDir: string, aside: string): string =>
  `Run the restore again; or take the earlier folder back: mv ${aside} ${dataDir}. To begin with a new box, move ${aside} elsewhere first.`
