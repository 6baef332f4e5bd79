CREATE TABLE `account` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`handle` text NOT NULL,
	`settings` text NOT NULL,
	`site_revision` integer NOT NULL,
	`changed_at_revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_id_unique` ON `account` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_handle_unique` ON `account` (`handle`);--> statement-breakpoint
CREATE TABLE `asset` (
	`id` text PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `asset_by_name` ON `asset` (`account_row`,`kind`,`name`);--> statement-breakpoint
CREATE TABLE `asset_version` (
	`asset_id` text NOT NULL,
	`number` integer NOT NULL,
	`account_row` integer NOT NULL,
	`sha256` text NOT NULL,
	`byte_count` integer NOT NULL,
	`variants` text NOT NULL,
	`state` text NOT NULL,
	`published_at` integer NOT NULL,
	`published_by` text NOT NULL,
	`from_revision` integer NOT NULL,
	`to_revision` integer,
	`superseded_at` integer,
	PRIMARY KEY(`asset_id`, `number`),
	FOREIGN KEY (`asset_id`) REFERENCES `asset`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `asset_version_by_account` ON `asset_version` (`account_row`,`from_revision`);--> statement-breakpoint
CREATE INDEX `asset_version_by_hash` ON `asset_version` (`sha256`);--> statement-breakpoint
CREATE TABLE `box` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	CONSTRAINT "box_is_one_row" CHECK("box"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `domain` (
	`host` text PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `domain_by_account` ON `domain` (`account_row`);--> statement-breakpoint
CREATE TABLE `form` (
	`account_row` integer NOT NULL,
	`id` text NOT NULL,
	`version` integer NOT NULL,
	`definition` text NOT NULL,
	`withdrawn` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_row`, `id`, `version`),
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `ledger` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_row` integer NOT NULL,
	`kind` integer NOT NULL,
	`id` text NOT NULL,
	`received_at` integer NOT NULL,
	`record` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ledger_by_account` ON `ledger` (`account_row`,`kind`,`sequence`);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_submission_by_id` ON `ledger` (`account_row`,`id`) WHERE kind = 1;--> statement-breakpoint
CREATE TABLE `refusal_count` (
	`account_row` integer NOT NULL,
	`hour` integer NOT NULL,
	`endpoint` text NOT NULL,
	`check` text NOT NULL,
	`origin` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_row`, `hour`, `endpoint`, `check`, `origin`)
);
--> statement-breakpoint
CREATE TABLE `signing_key` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`secret` blob NOT NULL,
	`created_at` integer NOT NULL,
	`verifies_until` integer
);
--> statement-breakpoint
CREATE TABLE `spent_challenge` (
	`account_row` integer NOT NULL,
	`challenge` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`account_row`, `challenge`)
);
--> statement-breakpoint
CREATE INDEX `spent_challenge_by_expiry` ON `spent_challenge` (`expires_at`);--> statement-breakpoint
CREATE TABLE `tracking_key` (
	`row` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`fingerprint` text,
	`created_at` integer NOT NULL,
	`valid_until` integer,
	`revoked_at` integer,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tracking_key_by_account` ON `tracking_key` (`account_row`);