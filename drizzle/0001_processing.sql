CREATE TABLE `click_fact` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`device_row` integer NOT NULL,
	`received_at` integer NOT NULL,
	`day` integer NOT NULL,
	`message` text NOT NULL,
	`recipient` text,
	`url` text NOT NULL,
	`burst_group` text NOT NULL,
	`agent` text NOT NULL,
	`verdict` text NOT NULL,
	`reasons` text NOT NULL,
	`life_at` integer
);
--> statement-breakpoint
CREATE INDEX `click_fact_by_account` ON `click_fact` (`account_row`,`sequence`);--> statement-breakpoint
CREATE INDEX `click_fact_by_device` ON `click_fact` (`device_row`,`received_at`);--> statement-breakpoint
CREATE INDEX `click_fact_by_burst_group` ON `click_fact` (`account_row`,`burst_group`,`received_at`);--> statement-breakpoint
CREATE INDEX `click_fact_by_recipient` ON `click_fact` (`account_row`,`recipient`) WHERE recipient IS NOT NULL;--> statement-breakpoint
CREATE TABLE `day_figure` (
	`account_row` integer NOT NULL,
	`day` integer NOT NULL,
	`measure` text NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_row`, `day`, `measure`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `device` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_row` integer NOT NULL,
	`id` text NOT NULL,
	`hit_at` integer,
	`view_day` integer,
	`page_at` integer,
	`page_slug` text,
	`page_sha256` text,
	`awaits_life_since` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_by_id` ON `device` (`account_row`,`id`);--> statement-breakpoint
CREATE TABLE `device_entry` (
	`device_row` integer NOT NULL,
	`received_at` integer NOT NULL,
	`sequence` integer NOT NULL,
	`kind` integer NOT NULL,
	`day` integer NOT NULL,
	`counted` integer NOT NULL,
	PRIMARY KEY(`device_row`, `received_at`, `sequence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `device_tie` (
	`device_row` integer NOT NULL,
	`received_at` integer NOT NULL,
	`entry_id` text NOT NULL,
	`person_row` integer NOT NULL,
	PRIMARY KEY(`device_row`, `received_at`, `entry_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `device_tie_by_person` ON `device_tie` (`person_row`);--> statement-breakpoint
CREATE TABLE `device_traits` (
	`device_row` integer NOT NULL,
	`received_at` integer NOT NULL,
	`entry_id` text NOT NULL,
	`traits` text NOT NULL,
	PRIMARY KEY(`device_row`, `received_at`, `entry_id`)
);
--> statement-breakpoint
CREATE TABLE `person` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_row` integer NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`email_mark` integer NOT NULL,
	`traits` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `person_by_email_mark` ON `person` (`account_row`,`email_mark`);--> statement-breakpoint
CREATE INDEX `person_by_account` ON `person` (`account_row`);--> statement-breakpoint
CREATE TABLE `processing` (
	`id` integer PRIMARY KEY NOT NULL,
	`cursor` integer NOT NULL,
	CONSTRAINT "processing_is_one_row" CHECK("processing"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `set_aside` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`reason` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `submission_fact` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`received_at` integer NOT NULL,
	`status` text NOT NULL,
	`released_at` integer,
	`release_waits` integer DEFAULT false NOT NULL,
	`person_row` integer,
	`device_row` integer,
	`fingerprint` text,
	`duplicate_of` text,
	`first_touch` text,
	`last_touch` text,
	`page_slug` text,
	`page_sha256` text,
	`lead_day` integer,
	`lead_source` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submission_fact_by_id` ON `submission_fact` (`account_row`,`id`);--> statement-breakpoint
CREATE INDEX `submission_fact_by_status` ON `submission_fact` (`account_row`,`status`,`received_at`,`released_at`);--> statement-breakpoint
CREATE INDEX `submission_fact_by_person` ON `submission_fact` (`person_row`) WHERE person_row IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_by_device` ON `submission_fact` (`device_row`,`received_at`) WHERE device_row IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_by_fingerprint` ON `submission_fact` (`account_row`,`fingerprint`,`received_at`) WHERE fingerprint IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_by_page` ON `submission_fact` (`page_sha256`) WHERE page_sha256 IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_release_waits` ON `submission_fact` (`sequence`) WHERE release_waits = 1;--> statement-breakpoint
CREATE TABLE `touch` (
	`device_row` integer NOT NULL,
	`received_at` integer NOT NULL,
	`entry_id` text NOT NULL,
	`is_direct` integer NOT NULL,
	`touch` text NOT NULL,
	PRIMARY KEY(`device_row`, `received_at`, `entry_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `visitor_day` (
	`device_row` integer NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`device_row`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `processing` (`id`, `cursor`) VALUES (1, 0);
