CREATE TABLE `erased_time` (
	`device_row` integer NOT NULL,
	`from_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	PRIMARY KEY(`device_row`, `from_at`, `until_at`)
);
