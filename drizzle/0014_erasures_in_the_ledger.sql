INSERT INTO `account` (`id`, `handle`, `settings`, `site_revision`, `changed_at_revision`, `created_at`, `removed_at`)
  SELECT DISTINCT `account_id`, `account_id`, '{}', 0, 0, 0, 0 FROM `erasure`
  WHERE `account_id` NOT IN (SELECT `id` FROM `account`);--> statement-breakpoint
INSERT INTO `ledger` (`account_row`, `kind`, `id`, `received_at`, `record`)
  WITH `part` AS (
    SELECT `erasure_row`, `sequence`, `record_id`,
      (row_number() OVER (PARTITION BY `erasure_row` ORDER BY `sequence`) - 1) / 1000 AS `number`, false AS `is_end`
    FROM `erased_record`
    UNION ALL
    SELECT `row`, NULL, NULL, NULL, true FROM `erasure` WHERE `ended_at` IS NOT NULL),
  `entry` AS (
    SELECT `erasure_row`, `number`, `is_end`, printf('%012x', coalesce(`ended_at`, `begun_at`)) AS `time`,
      lower(hex(randomblob(10))) AS `drawn`, coalesce(`ended_at`, `begun_at`) AS `at`, `account`.`row` AS `account_row`,
      json_object(
        'erasureId', `erasure`.`id`, 'personId', `person_id`,
        'records', json_group_array(`record_id` ORDER BY `sequence`) FILTER (WHERE `record_id` IS NOT NULL),
        'isEnd', json(iif(`is_end`, 'true', 'false'))) AS `record`
    FROM `part` JOIN `erasure` ON `erasure`.`row` = `erasure_row` JOIN `account` ON `account`.`id` = `account_id`
    GROUP BY `erasure_row`, `number`, `is_end`)
  SELECT `account_row`, 6,
    substr(`time`, 1, 8) || '-' || substr(`time`, 9) || '-7' || substr(`drawn`, 1, 3) || '-'
      || substr('89ab', 1 + unicode(`drawn`) % 4, 1) || substr(`drawn`, 4, 3) || '-' || substr(`drawn`, 7, 12),
    `at`, `record`
  FROM `entry` ORDER BY `erasure_row`, `is_end`, `number`;--> statement-breakpoint
INSERT OR IGNORE INTO `receipt_hour` (`hour`, `first_sequence`)
  SELECT `received_at` / 3600000, min(`sequence`) FROM `ledger` WHERE `kind` = 6 GROUP BY 1;--> statement-breakpoint
DROP TABLE `erased_record`;--> statement-breakpoint
DROP TABLE `erasure`;
