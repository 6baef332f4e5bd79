import { and, asc, eq, gt, lt, lte, max } from 'drizzle-orm'
import {
  type KeptOrder,
  type OrderBegun,
  type OrderLog,
  type OrderOutcome,
  ordersKeptMin,
} from '../../../https/certificate-store.ts'
import type { Connection } from '../database/connection.ts'
import { certificateOrder } from '../schema/certificate-schema.ts'

export class SqliteOrderLog implements OrderLog {
  constructor(private readonly connection: Connection) {}

  async begin(order: OrderBegun): Promise<number> {
    return this.connection.db.insert(certificateOrder).values(order).returning({ id: certificateOrder.id }).get().id
  }

  async end(id: number, outcome: OrderOutcome): Promise<void> {
    this.connection.db.update(certificateOrder).set({ outcome }).where(eq(certificateOrder.id, id)).run()
  }

  async since(instant: number): Promise<KeptOrder[]> {
    const { db } = this.connection
    return db
      .select()
      .from(certificateOrder)
      .where(gt(certificateOrder.beganAt, instant))
      .orderBy(asc(certificateOrder.id))
      .all()
  }

  async tidy(before: number, now: number): Promise<void> {
    const { db } = this.connection
    const latest =
      db
        .select({ id: max(certificateOrder.id) })
        .from(certificateOrder)
        .get()?.id ?? 0
    db.update(certificateOrder).set({ beganAt: now }).where(gt(certificateOrder.beganAt, now)).run()
    db.delete(certificateOrder)
      .where(and(lt(certificateOrder.beganAt, before), lte(certificateOrder.id, latest - ordersKeptMin)))
      .run()
  }
}
