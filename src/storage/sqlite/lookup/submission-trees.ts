/** Finds released submissions by their own index: SQLite would look through the whole quarantine for them. */
export const releasedSubmissions = 'submission_fact fact INDEXED BY submission_fact_released'
