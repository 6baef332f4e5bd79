/** Stands for a secret that the box has and does not give away. Applied, it keeps that secret (contract-box section 15.1). */
export const keptInTheBox = '(kept in the box)'
