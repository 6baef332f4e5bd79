DROP INDEX `visitor_reply_by_form`;--> statement-breakpoint
CREATE INDEX `visitor_reply_by_account` ON `visitor_reply` (`account_row`,`at`);