CREATE TABLE `month_figure` (
	`account_row` integer NOT NULL,
	`first_day` integer NOT NULL,
	`sums` text,
	PRIMARY KEY(`account_row`, `first_day`)
);
--> statement-breakpoint
-- The months that have figures; the service adds them up.
INSERT INTO month_figure (account_row, first_day)
SELECT DISTINCT account_row, CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month') AS INTEGER) / 86400
FROM day_figure;
