INSERT INTO `ledger` (`account_row`, `kind`, `id`, `received_at`, `record`)
  SELECT `account_row`, 5, `id`, `released_at`, '{}' FROM `submission_fact`
  WHERE `released_at` IS NOT NULL ORDER BY `released_at`, `sequence`;--> statement-breakpoint
INSERT OR IGNORE INTO `receipt_hour` (`hour`, `first_sequence`)
  SELECT `received_at` / 3600000, min(`sequence`) FROM `ledger` WHERE `kind` = 5 GROUP BY 1;--> statement-breakpoint
UPDATE `submission_fact` SET `released_at` = NULL
  WHERE `release_waits` = 1 OR `sequence` IN (SELECT `sequence` FROM `set_aside`);--> statement-breakpoint
DELETE FROM `set_aside` WHERE `sequence` IN (SELECT `sequence` FROM `submission_fact`);--> statement-breakpoint
DROP INDEX `submission_fact_release_waits`;--> statement-breakpoint
ALTER TABLE `submission_fact` DROP COLUMN `release_waits`;--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_release_by_id` ON `ledger` (`account_row`,`id`) WHERE kind = 5;
