CREATE TABLE `moved_signing_key` (
	`account_row` integer NOT NULL,
	`id` text NOT NULL,
	`purpose` text NOT NULL,
	`secret` blob NOT NULL,
	`created_at` integer NOT NULL,
	`verifies_until` integer,
	PRIMARY KEY(`account_row`, `id`),
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `delivered_elsewhere` (
	`last_sequence` integer PRIMARY KEY NOT NULL,
	`first_sequence` integer NOT NULL
);
