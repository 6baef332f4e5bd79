/** `22 Nov 2026, 09:15`, as the console writes every instant. */
export const localTimeText = (at: string | number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))

/** The same on pages of the box, which has no time zone: `22 Nov 2026, 09:15 UTC`. */
export const boxTimeText = (at: string | number): string => `${localTimeText(at, 'UTC')} UTC`

/** A sentence of an operation, whose instants are those of a terminal: `2026-11-22 09:15:42 UTC`, or of a process: ISO 8601. */
export const withBoxTimes = (sentence: string): string =>
  sentence.replace(/\b(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?: UTC|\.\d{3}Z)\b/g, (written, day, time) => {
    const at = Date.parse(`${day}T${time}Z`)
    // What another server says may have the form of an instant without being one.
    return Number.isNaN(at) ? written : boxTimeText(at)
  })
