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
CREATE TABLE `box` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`uuid` text,
	`seal_proof` text,
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
CREATE TABLE `domain_suffix` (
	`account_row` integer NOT NULL,
	`suffix` text NOT NULL,
	PRIMARY KEY(`account_row`, `suffix`),
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
CREATE TABLE `goal_since` (
	`account_row` integer NOT NULL,
	`key` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`account_row`, `key`),
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
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
CREATE TABLE `reserved_domain` (
	`host` text PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`handle` text NOT NULL,
	`dropped_at` integer NOT NULL,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `reserved_domain_by_account` ON `reserved_domain` (`account_row`,`dropped_at`);--> statement-breakpoint
CREATE TABLE `signing_key` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`secret` blob NOT NULL,
	`created_at` integer NOT NULL,
	`verifies_until` integer
);
--> statement-breakpoint
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
CREATE INDEX `tracking_key_by_account` ON `tracking_key` (`account_row`);--> statement-breakpoint
CREATE TABLE `missing_count` (
	`account_row` integer NOT NULL,
	`day` integer NOT NULL,
	`path` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_row`, `day`, `path`)
);
--> statement-breakpoint
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
CREATE TABLE `spent_challenge` (
	`account_row` integer NOT NULL,
	`challenge` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`account_row`, `challenge`)
);
--> statement-breakpoint
CREATE INDEX `spent_challenge_by_expiry` ON `spent_challenge` (`expires_at`);--> statement-breakpoint
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
	`looks` integer DEFAULT 0 NOT NULL,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`is_trial` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE TABLE `cluster_changed` (
	`name` text NOT NULL,
	`row` integer NOT NULL,
	PRIMARY KEY(`name`, `row`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `cluster_position` (
	`id` integer PRIMARY KEY NOT NULL,
	`cluster` text NOT NULL,
	`number` integer,
	`link` text,
	`proposed` text,
	`linked_to` integer NOT NULL,
	`made_to` integer,
	`is_apart` integer DEFAULT false NOT NULL,
	`run` text,
	`unlinkable` text,
	CONSTRAINT "cluster_position_is_one_row" CHECK("cluster_position"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `cluster_sent` (
	`name` text NOT NULL,
	`row` integer NOT NULL,
	PRIMARY KEY(`name`, `row`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `intake_taken` (
	`batch` text PRIMARY KEY NOT NULL,
	`at_link` integer NOT NULL,
	`first_sequence` integer NOT NULL,
	`last_sequence` integer NOT NULL,
	`counts` text,
	`is_made` integer DEFAULT false NOT NULL,
	`is_linked` integer DEFAULT false NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `intake_taken_unlinked` ON `intake_taken` (`last_sequence`) WHERE NOT is_linked;--> statement-breakpoint
CREATE TABLE `linked_removal` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`to_sequence` integer,
	`expired` text,
	`person` text
);
--> statement-breakpoint
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
	`last_used_at` integer,
	`maker_user_id` text,
	`maker_token_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_token_by_id` ON `api_token` (`id`);--> statement-breakpoint
CREATE TABLE `audit_chain` (
	`id` integer PRIMARY KEY NOT NULL,
	`anchor_seq` integer NOT NULL,
	`anchor_hash` text NOT NULL,
	`head_seq` integer NOT NULL,
	`head_hash` text NOT NULL,
	CONSTRAINT "audit_chain_is_one_row" CHECK("audit_chain"."id" = 1)
);
--> statement-breakpoint
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
	`after` text,
	`seq` integer NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entry_by_account` ON `audit_entry` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entry_by_actor` ON `audit_entry` (`actor_label`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entry_undone` ON `audit_entry` (`id`) WHERE outcome <> 'done';--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entry_by_seq` ON `audit_entry` (`seq`);--> statement-breakpoint
CREATE TABLE `console_role` (
	`user_id` text NOT NULL,
	`account_row` integer NOT NULL,
	`role` text NOT NULL,
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
	`proved_by` text DEFAULT 'password' NOT NULL,
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
	`code_misses` integer DEFAULT 0 NOT NULL,
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
	`used_at` integer,
	`maker_user_id` text,
	`maker_token_id` text
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
CREATE INDEX `passkey_by_user` ON `passkey` (`user_id`);--> statement-breakpoint
CREATE TABLE `report_share` (
	`id` text PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`period` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`maker_token_id` text,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_share_by_account` ON `report_share` (`account_row`);--> statement-breakpoint
CREATE TABLE `shown_personal` (
	`account_row` integer PRIMARY KEY NOT NULL,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `delivery` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`account_row` integer NOT NULL,
	`destination_row` integer NOT NULL,
	`sequence` integer,
	`submission_id` text,
	`form_id` text,
	`is_duplicate` integer DEFAULT false NOT NULL,
	`is_backfilled` integer DEFAULT false NOT NULL,
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
CREATE UNIQUE INDEX `destination_by_name` ON `destination` (`account_row`,`name`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE TABLE `visitor_reply` (
	`account_row` integer NOT NULL,
	`destination_row` integer NOT NULL,
	`address_mark` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `visitor_reply_by_address` ON `visitor_reply` (`address_mark`,`at`);--> statement-breakpoint
CREATE INDEX `visitor_reply_by_account` ON `visitor_reply` (`account_row`,`at`);--> statement-breakpoint
CREATE INDEX `visitor_reply_by_age` ON `visitor_reply` (`at`);--> statement-breakpoint
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
CREATE INDEX `goal_entry_counted` ON `goal_entry` (`device_row`,`visit_at`) WHERE counted <> '[]';--> statement-breakpoint
CREATE INDEX `goal_entry_by_account` ON `goal_entry` (`account_row`);--> statement-breakpoint
CREATE TABLE `month_figure` (
	`account_row` integer NOT NULL,
	`first_day` integer NOT NULL,
	`sums` text,
	PRIMARY KEY(`account_row`, `first_day`)
);
--> statement-breakpoint
CREATE INDEX `month_figure_waiting` ON `month_figure` (`first_day`) WHERE sums IS NULL;--> statement-breakpoint
CREATE TABLE `quarantine_count` (
	`account_row` integer NOT NULL,
	`quarter_hour` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_row`, `quarter_hour`)
);
--> statement-breakpoint
CREATE TABLE `submission_fact` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`device_kind` text DEFAULT 'other' NOT NULL,
	`received_at` integer NOT NULL,
	`status` text NOT NULL,
	`released_at` integer,
	`refused_at` integer,
	`confirmed_at` integer,
	`person_row` integer,
	`device_row` integer,
	`fingerprint` text,
	`duplicate_of` text,
	`first_touch` text,
	`last_touch` text,
	`page_at` integer,
	`page_slug` text,
	`page_sha256` text,
	`versions` text,
	`lead_day` integer,
	`lead_source` text,
	`lead_medium` text,
	`lead_campaign` text,
	`lead_page` text
);
--> statement-breakpoint
CREATE INDEX `submission_fact_by_status` ON `submission_fact` (`account_row`,`status`,`received_at`,`released_at`);--> statement-breakpoint
CREATE INDEX `submission_fact_by_form` ON `submission_fact` (`account_row`,`form_id`,`status`,`received_at`,`released_at`);--> statement-breakpoint
CREATE INDEX `submission_fact_released` ON `submission_fact` (`account_row`,`received_at`) WHERE released_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_by_person` ON `submission_fact` (`person_row`) WHERE person_row IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_by_device` ON `submission_fact` (`device_row`,`received_at`) WHERE device_row IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_by_fingerprint` ON `submission_fact` (`account_row`,`fingerprint`,`received_at`) WHERE fingerprint IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_by_page` ON `submission_fact` (`page_sha256`) WHERE page_sha256 IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submission_fact_of_others` ON `submission_fact` (`account_row`,`lead_day`) WHERE (lead_source = '(other)' OR lead_medium = '(other)' OR lead_campaign = '(other)' OR lead_page = '(other)');--> statement-breakpoint
CREATE TABLE `visitor_day` (
	`device_row` integer NOT NULL,
	`day` integer NOT NULL,
	`channel` text,
	PRIMARY KEY(`device_row`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `loose_file` (
	`sha256` text PRIMARY KEY NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `submission_file` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sequence` integer NOT NULL,
	`account_row` integer NOT NULL,
	`sha256` text NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submission_file_by_entry` ON `submission_file` (`sequence`,`sha256`);--> statement-breakpoint
CREATE INDEX `submission_file_by_content` ON `submission_file` (`sha256`);--> statement-breakpoint
CREATE INDEX `submission_file_by_account` ON `submission_file` (`account_row`,`sha256`,`bytes`);--> statement-breakpoint
CREATE TABLE `clock_seen` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`boot_id` text,
	`uptime_ms` integer,
	CONSTRAINT "clock_seen_is_one_row" CHECK("clock_seen"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `erased_time` (
	`device_row` integer NOT NULL,
	`from_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	PRIMARY KEY(`device_row`, `from_at`, `until_at`)
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
--> statement-breakpoint
CREATE TABLE `stale_burst` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`burst_group` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stale_day` (
	`mark` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_row` integer NOT NULL,
	`day` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stale_day_by_day` ON `stale_day` (`account_row`,`day`);--> statement-breakpoint
CREATE TABLE `stale_device` (
	`mark` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_row` integer NOT NULL,
	`given_up` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stale_device_device_row_unique` ON `stale_device` (`device_row`);--> statement-breakpoint
CREATE TABLE `stale_repeat` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`id` text NOT NULL,
	`received_at` integer NOT NULL,
	`duplicate_of` text
);
--> statement-breakpoint
CREATE INDEX `stale_repeat_by_fingerprint` ON `stale_repeat` (`account_row`,`fingerprint`);--> statement-breakpoint
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
	`received_at` integer NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	FOREIGN KEY (`sequence`) REFERENCES `ledger`(`sequence`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_state_by_receipt` ON `submission_state` (`account_row`,`state`,`received_at`);--> statement-breakpoint
CREATE TABLE `ledger` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_row` integer NOT NULL,
	`kind` integer NOT NULL,
	`id` text NOT NULL,
	`received_at` integer NOT NULL,
	`record` text NOT NULL,
	`checksum` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ledger_by_account` ON `ledger` (`account_row`,`kind`,`sequence`);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_submission_by_id` ON `ledger` (`account_row`,`id`) WHERE kind = 1;--> statement-breakpoint
CREATE INDEX `ledger_decision_by_id` ON `ledger` (`account_row`,`id`) WHERE kind IN (5, 7);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_confirmation_by_id` ON `ledger` (`account_row`,`id`) WHERE kind = 8;--> statement-breakpoint
CREATE TABLE `receipt_hour` (
	`hour` integer PRIMARY KEY NOT NULL,
	`first_sequence` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `delivered_elsewhere` (
	`last_sequence` integer PRIMARY KEY NOT NULL,
	`first_sequence` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_row` integer NOT NULL,
	`id` text NOT NULL,
	`hit_at` integer,
	`visit_at` integer,
	`channel` text,
	`view_day` integer,
	`page_at` integer,
	`page_slug` text,
	`page_sha256` text,
	`versions` text,
	`awaits_life_since` integer,
	`expired_at` integer,
	`expired_hit_at` integer,
	`expired_view_day` integer,
	`expired_visit_at` integer,
	`expired_channel` text
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
	`channel` text,
	PRIMARY KEY(`device_row`, `received_at`, `sequence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `device_entry_of_others` ON `device_entry` (`day`,`sequence`) WHERE instr(channel, '"(other)"') > 0;--> statement-breakpoint
CREATE INDEX `device_entry_of_visits` ON `device_entry` (`device_row`,`received_at`) WHERE channel IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `person_by_id` ON `person` (`account_row`,`id`);--> statement-breakpoint
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
	`at` integer NOT NULL,
	`slow_in` text
);
--> statement-breakpoint
CREATE TABLE `touch` (
	`device_row` integer NOT NULL,
	`received_at` integer NOT NULL,
	`entry_id` text NOT NULL,
	`is_direct` integer NOT NULL,
	`touch` text NOT NULL,
	PRIMARY KEY(`device_row`, `received_at`, `entry_id`)
) WITHOUT ROWID;
--> statement-breakpoint
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
	`live_from` integer,
	`live_until` integer,
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
	`origin` text NOT NULL,
	`subjects` text NOT NULL,
	`subject_count` integer NOT NULL,
	`keys` text,
	`receivers` text,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `publication_by_account` ON `publication` (`account_row`,`row`);--> statement-breakpoint
CREATE INDEX `publication_of_receivers` ON `publication` (`at`) WHERE receivers IS NOT NULL;--> statement-breakpoint
CREATE TABLE `receiver_notice` (
	`publication_row` integer NOT NULL,
	`user_id` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	PRIMARY KEY(`publication_row`, `user_id`),
	FOREIGN KEY (`publication_row`) REFERENCES `publication`(`row`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `console_user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `receiver_notice_by_user` ON `receiver_notice` (`user_id`);--> statement-breakpoint
CREATE INDEX `receiver_notice_due` ON `receiver_notice` (`next_at`);--> statement-breakpoint
INSERT INTO `processing` (`id`, `cursor`) VALUES (1, 0);--> statement-breakpoint
INSERT INTO `audit_chain` (`id`, `anchor_seq`, `anchor_hash`, `head_seq`, `head_hash`)
VALUES (1, 0, printf('%064d', 0), 0, printf('%064d', 0));--> statement-breakpoint
INSERT INTO `sqlite_sequence` (`name`, `seq`) VALUES ('ledger', 0);
