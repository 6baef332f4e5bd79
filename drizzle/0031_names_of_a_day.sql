CREATE TABLE `stale_day` (
	`mark` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_row` integer NOT NULL,
	`day` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stale_day_by_day` ON `stale_day` (`account_row`,`day`);--> statement-breakpoint
CREATE INDEX `submission_fact_of_others` ON `submission_fact` (`account_row`,`lead_day`) WHERE (lead_source = '(other)' OR lead_campaign = '(other)');