DROP INDEX `submission_fact_by_id`;
--> statement-breakpoint
DROP INDEX `submission_fact_by_fingerprint`;
--> statement-breakpoint
UPDATE `submission_fact` SET `fingerprint` = printf('%010x', coalesce(`person_row`, `device_row`)) || substr(`fingerprint`, 1, 16) WHERE `fingerprint` IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `submission_fact_by_fingerprint` ON `submission_fact` (`account_row`,`fingerprint`,`received_at`) WHERE fingerprint IS NOT NULL;
