-- How long devices had been away when they viewed something again, from the days that are known of each.
INSERT INTO day_figure (account_row, day, measure, name, count)
SELECT account_row, day, 'visitor_return', CAST(day - before AS TEXT), count(*)
FROM (
  SELECT account_row, day,
    CASE WHEN earlier IS NULL OR expired_view_day BETWEEN earlier AND day - 1 THEN expired_view_day ELSE earlier END AS before
  FROM (
    SELECT device.account_row, device.expired_view_day, visitor_day.day,
      lag(visitor_day.day) OVER (PARTITION BY visitor_day.device_row ORDER BY visitor_day.day) AS earlier
    FROM visitor_day JOIN device ON device.row = visitor_day.device_row))
WHERE before < day
GROUP BY account_row, day, day - before;
