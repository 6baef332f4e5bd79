DROP INDEX `goal_entry_by_visit`;--> statement-breakpoint
CREATE INDEX `goal_entry_counted` ON `goal_entry` (`device_row`,`visit_at`) WHERE counted <> '[]';