CREATE TABLE `visitor_reply` (
	`account_row` integer NOT NULL,
	`destination_row` integer NOT NULL,
	`address_mark` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `visitor_reply_by_address` ON `visitor_reply` (`address_mark`,`at`);--> statement-breakpoint
CREATE INDEX `visitor_reply_by_form` ON `visitor_reply` (`destination_row`,`at`);--> statement-breakpoint
CREATE INDEX `visitor_reply_by_age` ON `visitor_reply` (`at`);