import { showableJson } from '../../report/json-text.ts'

/** A result as JSON for `--json`: indented, ended by a line feed, and safe to show on a terminal. */
export const toJson = (value: unknown): string => `${showableJson(JSON.stringify(value, null, 2))}\n`
