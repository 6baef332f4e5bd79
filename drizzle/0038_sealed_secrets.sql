ALTER TABLE `box` ADD `seal_proof` text;--> statement-breakpoint
ALTER TABLE `box` ADD `sealed_at` integer;