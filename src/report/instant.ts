/** An instant as records are exported with: ISO 8601 UTC with milliseconds. */
export const instant = (epochMs: number): string => new Date(epochMs).toISOString()
