ALTER TABLE `publication` ADD `receivers` text;--> statement-breakpoint
CREATE INDEX `publication_of_receivers` ON `publication` (`at`) WHERE receivers IS NOT NULL;