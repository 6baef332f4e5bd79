ALTER TABLE `submission_fact` ADD `page_at` integer;--> statement-breakpoint
UPDATE `submission_fact` SET `page_at` = (
  SELECT max(`received_at`) FROM `device_entry`
  WHERE `device_row` = `submission_fact`.`device_row` AND `kind` = 3 AND `received_at` <= `submission_fact`.`received_at`
) WHERE `page_slug` IS NOT NULL;
