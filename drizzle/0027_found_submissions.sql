-- A state is found by its submission's receipt. SQLite adds no column that every row must have, so the table is made anew.
CREATE TABLE `__new_submission_state` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`received_at` integer NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	FOREIGN KEY (`sequence`) REFERENCES `ledger`(`sequence`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_submission_state` (`sequence`, `account_row`, `received_at`, `state`, `at`, `by`)
SELECT state.`sequence`, state.`account_row`, ledger.`received_at`, `state`, `at`, `by`
FROM `submission_state` state JOIN `ledger` ON ledger.`sequence` = state.`sequence`;
--> statement-breakpoint
DROP TABLE `submission_state`;
--> statement-breakpoint
ALTER TABLE `__new_submission_state` RENAME TO `submission_state`;
--> statement-breakpoint
CREATE INDEX `submission_state_by_receipt` ON `submission_state` (`account_row`,`state`,`received_at`);--> statement-breakpoint
CREATE INDEX `submission_fact_by_form` ON `submission_fact` (`account_row`,`form_id`,`status`,`received_at`,`released_at`);--> statement-breakpoint
CREATE INDEX `submission_fact_released` ON `submission_fact` (`account_row`,`received_at`) WHERE released_at IS NOT NULL;
