CREATE TABLE `quarantine_count` (
	`account_row` integer NOT NULL,
	`quarter_hour` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_row`, `quarter_hour`)
);
--> statement-breakpoint
INSERT INTO quarantine_count (account_row, quarter_hour, count)
SELECT account_row, received_at / 900000, count(*) FROM submission_fact
WHERE status = 'refused' AND released_at IS NULL GROUP BY 1, 2;
--> statement-breakpoint
-- Months are kept with the visitors who return, too; the service adds them up again.
UPDATE month_figure SET sums = NULL;
