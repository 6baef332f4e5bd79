ALTER TABLE `console_session` ADD `proved_by` text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE `console_user` ADD `code_misses` integer DEFAULT 0 NOT NULL;