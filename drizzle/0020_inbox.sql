CREATE TABLE `saved_filter` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`account_row` integer NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `console_user`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `saved_filter_by_user` ON `saved_filter` (`user_id`,`account_row`);--> statement-breakpoint
CREATE INDEX `saved_filter_by_account` ON `saved_filter` (`account_row`);--> statement-breakpoint
CREATE TABLE `submission_note` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`sequence` integer NOT NULL,
	`account_row` integer NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`sequence`) REFERENCES `ledger`(`sequence`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_note_by_submission` ON `submission_note` (`sequence`);--> statement-breakpoint
CREATE INDEX `submission_note_by_account` ON `submission_note` (`account_row`);--> statement-breakpoint
CREATE TABLE `submission_state` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	FOREIGN KEY (`sequence`) REFERENCES `ledger`(`sequence`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_state_by_account` ON `submission_state` (`account_row`);