/** The date of an instant (epoch milliseconds) in a time zone: `2026-11-20`. */
export const localDate = (at: number, timezone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate().toString()

/** All dates from one to another, both included. */
export function datesBetween(first: string, last: string): string[] {
  const dates: string[] = []
  const end = Temporal.PlainDate.from(last)
  let date = Temporal.PlainDate.from(first)
  while (Temporal.PlainDate.compare(date, end) <= 0) {
    dates.push(date.toString())
    date = date.add({ days: 1 })
  }
  return dates
}
