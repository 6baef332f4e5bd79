CREATE TABLE `domain_suffix` (
	`account_row` integer NOT NULL,
	`suffix` text NOT NULL,
	PRIMARY KEY(`account_row`, `suffix`),
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
CREATE INDEX `reserved_domain_by_account` ON `reserved_domain` (`account_row`,`dropped_at`);