import type { AccountSettings } from '../../../account/account.ts'
import type { NoticeKey, ReceiverNotice, ReceiverNoticeStore } from '../../../delivery/receiver-notices.ts'
import { receiversShownMs } from '../../../site/publication-log.ts'
import type { Connection } from '../database/connection.ts'
import { storedJson } from '../database/damage.ts'

/** Read in one look. */
const dueMax = 20

interface Row {
  publicationRow: number
  userId: string
  email: string
  accountId: string
  handle: string
  settings: string
  at: number
  via: ReceiverNotice['by']['via']
  by: string
  receivers: string
  attempts: number
  isWanted: 0 | 1
}

/** The table `receiver_notice`; rows are written with their publication (site/publication-log.ts). */
export class SqliteReceiverNotices implements ReceiverNoticeStore {
  constructor(private readonly connection: Pick<Connection, 'raw'>) {}

  due(now: number): ReceiverNotice[] {
    const rows = this.connection.raw
      .query<Row, [number, number]>(
        `SELECT publication_row AS publicationRow, user_id AS userId, email, account.id AS accountId, handle, settings,
           publication.at AS at, via, "by", receivers, attempts,
           publication.at >= ?2 AND removed_at IS NULL AND (is_owner OR EXISTS (
             SELECT 1 FROM console_role
             WHERE console_role.user_id = console_user.id AND console_role.account_row = account.row AND role = 'admin'
           )) AS isWanted
         FROM receiver_notice
           JOIN publication ON publication.row = publication_row
           JOIN account ON account.row = publication.account_row
           JOIN console_user ON console_user.id = user_id
         WHERE next_at <= ?1 AND json_valid(settings) AND json_valid(receivers) ORDER BY next_at LIMIT ${dueMax}`,
      )
      .all(now, now - receiversShownMs)
    for (const row of rows) if (!row.isWanted) this.drop(row)
    return rows.filter(({ isWanted }) => isWanted).map(noticeOf)
  }

  drop({ publicationRow, userId }: NoticeKey): void {
    this.connection.raw.run('DELETE FROM receiver_notice WHERE publication_row = ? AND user_id = ?', [
      publicationRow,
      userId,
    ])
  }

  postpone({ publicationRow, userId }: NoticeKey, nextAt: number): void {
    this.connection.raw.run(
      'UPDATE receiver_notice SET attempts = attempts + 1, next_at = ? WHERE publication_row = ? AND user_id = ?',
      [nextAt, publicationRow, userId],
    )
  }
}

function noticeOf({ publicationRow, userId, email, via, by, receivers, settings, ...row }: Row): ReceiverNotice {
  const { accountId, handle, at, attempts } = row
  const { name, timezone, brand } = storedJson<Pick<AccountSettings, 'name' | 'timezone' | 'brand'>>(settings)
  return {
    key: { publicationRow, userId },
    to: email,
    ...{ accountId, handle, at, attempts },
    accountName: name,
    timezone,
    colour: brand.colour,
    by: { via, name: by },
    receivers: storedJson<string[]>(receivers),
  }
}

export const hasReceiverNotices = ({ raw }: Pick<Connection, 'raw'>): boolean =>
  raw.query('SELECT 1 FROM receiver_notice LIMIT 1').get() !== null
