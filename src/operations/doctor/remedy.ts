/**
 * What remedies a finding, as data: the console names the page that does it, where the advice names a command. Handles
 * are of accounts; `account: null`: the box's own name.
 */
export type Remedy =
  | { act: 'resume_destination'; account: string; destination: string }
  | { act: 'test_destination'; account: string; destination: string }
  | { act: 'retry_deliveries'; account: string; destination: string }
  /** More destinations than are listed. */
  | { act: 'see_destinations' }
  | { act: 'check_name'; account: string | null; host: string }
  /** `why`: why no certificate was issued until the box gave up. */
  | { act: 'try_name_again'; account: string | null; host: string; why: string }
  /** More names than are listed. */
  | { act: 'see_names' }
  | { act: 'back_up' }
  /** `account`: one that has mail to send. */
  | { act: 'test_mail'; account: string }
  | { act: 'publish_again' }
  | { act: 'erase_again'; account: string }
  | { act: 'release_again' }
