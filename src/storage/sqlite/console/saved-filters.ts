import { and, asc, eq } from 'drizzle-orm'
import {
  type FilterOwner,
  type SavedFilter,
  type SavedFilters,
  savedFiltersMax,
} from '../../../console/inbox/saved-filters.ts'
import type { Connection } from '../database/connection.ts'
import { accountRowOf } from '../lookup/account-row.ts'
import { savedFilter } from '../schema/inbox-schema.ts'

const { id, name, query } = savedFilter

export class SqliteSavedFilters implements SavedFilters {
  constructor(private readonly connection: Connection) {}

  async of({ userId, accountId }: FilterOwner): Promise<SavedFilter[]> {
    const accountRow = accountRowOf(this.connection, accountId)
    if (accountRow === null) return []
    return this.connection.db
      .select({ id, name, query })
      .from(savedFilter)
      .where(and(eq(savedFilter.userId, userId), eq(savedFilter.accountRow, accountRow)))
      .orderBy(asc(savedFilter.row))
      .limit(savedFiltersMax)
      .all()
  }

  async save(owner: FilterOwner, filter: SavedFilter): Promise<boolean> {
    const accountRow = accountRowOf(this.connection, owner.accountId)
    if (accountRow === null) return false
    const saved = await this.of(owner)
    const before = saved.find(({ name }) => name === filter.name)
    if (before !== undefined) await this.remove(owner, before.id)
    else if (saved.length >= savedFiltersMax) return false
    this.connection.db
      .insert(savedFilter)
      .values({ ...filter, userId: owner.userId, accountRow })
      .run()
    return true
  }

  async remove({ userId }: FilterOwner, filterId: string): Promise<void> {
    this.connection.db
      .delete(savedFilter)
      .where(and(eq(savedFilter.userId, userId), eq(savedFilter.id, filterId)))
      .run()
  }
}
