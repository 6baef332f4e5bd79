CREATE TABLE `api_token` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`account_id` text,
	`scopes` text NOT NULL,
	`prefix` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_token_by_id` ON `api_token` (`id`);--> statement-breakpoint
CREATE TABLE `audit_entry` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_label` text NOT NULL,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`account_id` text,
	`subject` text NOT NULL,
	`outcome` text NOT NULL,
	`before` text,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `audit_entry_by_account` ON `audit_entry` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entry_by_time` ON `audit_entry` (`at`);--> statement-breakpoint
CREATE TABLE `console_role` (
	`user_id` text NOT NULL,
	`account_row` integer NOT NULL,
	`role` text NOT NULL,
	`sees_personal_fields` integer NOT NULL,
	PRIMARY KEY(`user_id`, `account_row`),
	FOREIGN KEY (`user_id`) REFERENCES `console_user`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `console_role_by_account` ON `console_role` (`account_row`);--> statement-breakpoint
CREATE TABLE `console_session` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`proved_at` integer NOT NULL,
	`user_agent` text NOT NULL,
	`address` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `console_user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `console_session_by_id` ON `console_session` (`id`);--> statement-breakpoint
CREATE INDEX `console_session_by_user` ON `console_session` (`user_id`);--> statement-breakpoint
CREATE TABLE `console_user` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`is_owner` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_sign_in_at` integer,
	`password_hash` text,
	`totp_secret` blob,
	`totp_last_step` integer DEFAULT 0 NOT NULL,
	`recovery_hashes` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `console_user_email_unique` ON `console_user` (`email`);--> statement-breakpoint
CREATE TABLE `idempotent_answer` (
	`caller` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`begun_at` integer NOT NULL,
	`status` integer,
	`body` text,
	PRIMARY KEY(`caller`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotent_answer_by_time` ON `idempotent_answer` (`begun_at`);--> statement-breakpoint
CREATE TABLE `invitation` (
	`hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`invited` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `invitation_by_email` ON `invitation` (`email`);--> statement-breakpoint
CREATE TABLE `passkey` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `console_user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkey_by_user` ON `passkey` (`user_id`);