CREATE TABLE `audit_chain` (
	`id` integer PRIMARY KEY NOT NULL,
	`anchor_seq` integer NOT NULL,
	`anchor_hash` text NOT NULL,
	`head_seq` integer NOT NULL,
	`head_hash` text NOT NULL,
	`unnumbered` integer NOT NULL,
	CONSTRAINT "audit_chain_is_one_row" CHECK("audit_chain"."id" = 1)
);
--> statement-breakpoint
DROP INDEX `audit_entry_by_time`;--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `seq` integer;--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entry_by_seq` ON `audit_entry` (`seq`);
--> statement-breakpoint
INSERT INTO audit_chain (id, anchor_seq, anchor_hash, head_seq, head_hash, unnumbered)
SELECT 1, 0, printf('%064d', 0), 0, printf('%064d', 0), count(*) FROM audit_entry;
