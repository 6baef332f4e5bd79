CREATE TABLE `stale_burst` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`burst_group` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stale_device` (
	`mark` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_row` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stale_device_device_row_unique` ON `stale_device` (`device_row`);--> statement-breakpoint
CREATE TABLE `stale_repeat` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`id` text NOT NULL,
	`received_at` integer NOT NULL,
	`duplicate_of` text
);
--> statement-breakpoint
CREATE INDEX `stale_repeat_by_fingerprint` ON `stale_repeat` (`account_row`,`fingerprint`);--> statement-breakpoint
ALTER TABLE `device` ADD `expired_at` integer;--> statement-breakpoint
UPDATE `device` SET `expired_at` = `expired_hit_at`;--> statement-breakpoint
UPDATE `device` SET `expired_at` = max(coalesce(`expired_at`, 0), `told`.`at`) FROM (
  SELECT `device_row`, max(`at`) AS `at` FROM (
    SELECT `device_row`, CAST(round(unixepoch(`first_touch` ->> '$.at', 'subsec') * 1000) AS INTEGER) AS `at` FROM `submission_fact`
    UNION ALL
    SELECT `device_row`, CAST(round(unixepoch(`last_touch` ->> '$.at', 'subsec') * 1000) AS INTEGER) FROM `submission_fact`
    UNION ALL
    SELECT `device_row`, `page_at` FROM `submission_fact`
  ) AS `said`
  WHERE `at` IS NOT NULL AND `device_row` IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM `device_entry`
    WHERE `device_entry`.`device_row` = `said`.`device_row` AND `device_entry`.`received_at` = `said`.`at`)
  GROUP BY `device_row`
) AS `told` WHERE `told`.`device_row` = `device`.`row`;
