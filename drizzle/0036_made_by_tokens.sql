ALTER TABLE `api_token` ADD `maker_user_id` text;--> statement-breakpoint
ALTER TABLE `api_token` ADD `maker_token_id` text;--> statement-breakpoint
ALTER TABLE `invitation` ADD `maker_user_id` text;--> statement-breakpoint
ALTER TABLE `invitation` ADD `maker_token_id` text;--> statement-breakpoint
ALTER TABLE `report_share` ADD `maker_token_id` text;