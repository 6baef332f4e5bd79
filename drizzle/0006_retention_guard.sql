CREATE TABLE `clock_seen` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`boot_id` text,
	`uptime_ms` integer,
	CONSTRAINT "clock_seen_is_one_row" CHECK("clock_seen"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `retention_state` (
	`account_row` integer PRIMARY KEY NOT NULL,
	`passed_at` integer,
	`passed_terms` text,
	`wait` text,
	`waits_since` integer,
	`is_allowed` integer DEFAULT false NOT NULL
);
