/** Old counts of an account that are deleted at once: well under a millisecond. */
const forgottenAtOnce = 500

/** Of an account, from before an hour since the Unix epoch. */
export const forgetRefusalsQuery = `DELETE FROM refusal_count WHERE account_row = ? AND hour < ? LIMIT ${forgottenAtOnce}`

/** Of an account, from before a day since 1970-01-01. */
export const forgetMissingQuery = `DELETE FROM missing_count WHERE account_row = ? AND day < ? LIMIT ${forgottenAtOnce}`
