CREATE TABLE `receipt_hour` (
	`hour` integer PRIMARY KEY NOT NULL,
	`first_sequence` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `receipt_hour` SELECT received_at / 3600000, min(sequence) FROM `ledger` GROUP BY 1;
