/** Stands for a secret that the box has and does not give away. Applied, it keeps that secret (docs/site-folder.md). */
export const keptInTheBox = '(kept in the box)'
