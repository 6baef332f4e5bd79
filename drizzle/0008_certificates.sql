CREATE TABLE `acme_account` (
	`directory` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`url` text
);
--> statement-breakpoint
CREATE TABLE `certificate` (
	`host` text PRIMARY KEY NOT NULL,
	`chain` text NOT NULL,
	`key` text NOT NULL,
	`issuer` text NOT NULL,
	`serial` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer NOT NULL,
	`renew_at` integer NOT NULL,
	`window_start` integer,
	`window_end` integer,
	`ask_at` integer NOT NULL,
	`directory` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `certificate_order` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`host` text NOT NULL,
	`account_id` text NOT NULL,
	`registered_domain` text NOT NULL,
	`directory` text NOT NULL,
	`is_announced` integer NOT NULL,
	`began_at` integer NOT NULL,
	`outcome` text
);
--> statement-breakpoint
CREATE INDEX `certificate_order_by_time` ON `certificate_order` (`began_at`);--> statement-breakpoint
CREATE TABLE `https_name` (
	`host` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`reason` text NOT NULL,
	`observed` text NOT NULL,
	`next_try_at` integer,
	`decided_at` integer NOT NULL,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`is_trial` integer NOT NULL,
	`removed_at` integer
);
