/** An instant in JSON and exports: ISO 8601 UTC with milliseconds. */
export const instant = (epochMs: number): string => new Date(epochMs).toISOString()

export const instantOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : instant(epochMs))
