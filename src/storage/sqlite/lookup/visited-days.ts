/** The day with a view before one. What retention has taken of these days, the device remembers the last of. */
export const dayBefore = (deviceRow: string, day: string): string =>
  `(SELECT max(day) FROM (
     SELECT max(day) AS day FROM visitor_day WHERE device_row = ${deviceRow} AND day < ${day}
     UNION ALL SELECT expired_view_day FROM device WHERE row = ${deviceRow} AND expired_view_day < ${day}))`

/** The day with a view behind one. */
export const dayAfter = (deviceRow: string, day: string): string =>
  `(SELECT min(day) FROM visitor_day WHERE device_row = ${deviceRow} AND day > ${day})`
