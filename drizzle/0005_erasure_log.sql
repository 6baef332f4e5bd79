CREATE TABLE `erased_record` (
	`erasure_row` integer NOT NULL,
	`sequence` integer NOT NULL,
	`record_id` text NOT NULL,
	PRIMARY KEY(`erasure_row`, `sequence`),
	FOREIGN KEY (`erasure_row`) REFERENCES `erasure`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `erasure` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`person_id` text,
	`begun_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `erasure_id_unique` ON `erasure` (`id`);