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
CREATE INDEX `receiver_notice_due` ON `receiver_notice` (`next_at`);