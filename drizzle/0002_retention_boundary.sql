ALTER TABLE `device` ADD `expired_hit_at` integer;--> statement-breakpoint
ALTER TABLE `device` ADD `expired_view_day` integer;