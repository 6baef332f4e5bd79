CREATE TABLE `delivery` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`account_row` integer NOT NULL,
	`destination_row` integer NOT NULL,
	`sequence` integer,
	`submission_id` text,
	`form_id` text,
	`is_duplicate` integer DEFAULT false NOT NULL,
	`period` text,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`schedule_step` integer DEFAULT 0 NOT NULL,
	`tried_at` integer,
	`settled_at` integer,
	`last_status` integer,
	`last_error` text,
	`body` text,
	FOREIGN KEY (`sequence`) REFERENCES `ledger`(`sequence`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `delivery_id_unique` ON `delivery` (`id`);--> statement-breakpoint
CREATE INDEX `delivery_due` ON `delivery` (`destination_row`,`next_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `delivery_by_account` ON `delivery` (`account_row`,`row`);--> statement-breakpoint
CREATE INDEX `delivery_failed` ON `delivery` (`account_row`,`row`) WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX `delivery_by_submission` ON `delivery` (`sequence`) WHERE sequence IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `delivery_by_period` ON `delivery` (`destination_row`,`period`) WHERE period IS NOT NULL;--> statement-breakpoint
CREATE INDEX `delivery_body_by_age` ON `delivery` (`settled_at`) WHERE body IS NOT NULL AND settled_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `delivery_attempt` (
	`delivery_row` integer NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`status` integer,
	`error` text,
	`exchange` text NOT NULL,
	PRIMARY KEY(`delivery_row`, `number`),
	FOREIGN KEY (`delivery_row`) REFERENCES `delivery`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `delivery_attempt_by_age` ON `delivery_attempt` (`at`);--> statement-breakpoint
CREATE TABLE `delivery_pace` (
	`destination_row` integer NOT NULL,
	`form_id` text NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`destination_row`, `form_id`),
	FOREIGN KEY (`destination_row`) REFERENCES `destination`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `destination` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_row` integer NOT NULL,
	`name` text NOT NULL,
	`definition` text NOT NULL,
	`secret` text,
	`previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	`paused_at` integer,
	`pause_reason` text,
	`failing_since` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `destination_by_name` ON `destination` (`account_row`,`name`) WHERE removed_at IS NULL;