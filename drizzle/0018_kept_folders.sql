CREATE TABLE `kept_file` (
	`account_row` integer NOT NULL,
	`path` text NOT NULL,
	`sha256` text NOT NULL,
	`byte_count` integer NOT NULL,
	`from_revision` integer NOT NULL,
	`to_revision` integer,
	PRIMARY KEY(`account_row`, `path`, `from_revision`),
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `kept_file_by_start` ON `kept_file` (`account_row`,`from_revision`);--> statement-breakpoint
CREATE INDEX `kept_file_by_end` ON `kept_file` (`account_row`,`to_revision`);--> statement-breakpoint
CREATE INDEX `kept_file_by_hash` ON `kept_file` (`sha256`);--> statement-breakpoint
CREATE TABLE `kept_folder` (
	`account_row` integer PRIMARY KEY NOT NULL,
	`site_toml` text NOT NULL,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `publication` (
	`row` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`at` integer NOT NULL,
	`via` text NOT NULL,
	`by` text NOT NULL,
	`is_here` integer NOT NULL,
	`subjects` text NOT NULL,
	`subject_count` integer NOT NULL,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `publication_by_account` ON `publication` (`account_row`,`row`);