CREATE TABLE `report_share` (
	`id` text PRIMARY KEY NOT NULL,
	`account_row` integer NOT NULL,
	`period` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account_row`) REFERENCES `account`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_share_by_account` ON `report_share` (`account_row`);