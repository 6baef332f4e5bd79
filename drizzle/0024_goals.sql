CREATE TABLE `goal_since` (
	`account_row` integer NOT NULL,
	`key` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`account_row`, `key`),
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `goal_entry` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`device_row` integer,
	`day` integer NOT NULL,
	`targets` text NOT NULL,
	`visit_at` integer,
	`counted` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `goal_entry_by_visit` ON `goal_entry` (`device_row`,`visit_at`);--> statement-breakpoint
CREATE INDEX `goal_entry_by_account` ON `goal_entry` (`account_row`);--> statement-breakpoint
ALTER TABLE `device` ADD `visit_at` integer;--> statement-breakpoint
ALTER TABLE `device` ADD `expired_visit_at` integer;