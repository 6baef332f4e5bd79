/** An instant in the format of exports: ISO 8601 UTC with milliseconds. */
export const instant = (epochMs: number): string => new Date(epochMs).toISOString()
