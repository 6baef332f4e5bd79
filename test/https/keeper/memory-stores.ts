import type { PairText } from '../../../src/https/certificate-pair.ts'
import {
  type CertificateStore,
  type IssuedCertificate,
  type KeptAccount,
  type KeptCertificate,
  type KeptName,
  type KeptOrder,
  type OrderBegun,
  type OrderLog,
  type OrderOutcome,
  ordersKeptMin,
  type RenewalChoice,
} from '../../../src/https/certificate-store.ts'
import type { CertificateStores } from '../../contract/certificate-store.ts'

/** The stores of one box in memory, for years that pass in seconds. */
export function memoryStores(): CertificateStores {
  const orders = new MemoryOrderLog()
  return { orders, certificates: new MemoryCertificateStore(orders) }
}

class MemoryCertificateStore implements CertificateStore {
  private readonly kept = new Map<string, KeptName>()
  private readonly issued = new Map<string, { certificate: KeptCertificate; pair: PairText }>()
  private readonly accounts = new Map<string, KeptAccount>()

  constructor(private readonly orders: MemoryOrderLog) {}

  async names(): Promise<KeptName[]> {
    return [...this.kept.keys()].sort().map((host) => this.found(host) as KeptName)
  }

  async name(host: string): Promise<KeptName | null> {
    return this.found(host)
  }

  async tryNow(host: string, now: number): Promise<boolean> {
    const name = this.kept.get(host)
    if (name === undefined || name.removedAt !== null || !['waiting', 'failing'].includes(name.state)) return false
    this.kept.set(host, { ...name, nextTryAt: now, decidedAt: now, looks: 0 })
    return true
  }

  async keepNames(names: readonly KeptName[]): Promise<void> {
    for (const name of names) this.kept.set(name.host, name)
  }

  async keepCertificate({ name, certificate, pair, orderId }: IssuedCertificate): Promise<void> {
    this.kept.set(name.host, name)
    this.issued.set(name.host, { certificate, pair })
    await this.orders.end(orderId, 'issued')
  }

  async keepRenewal(host: string, renewAt: number, renewal: RenewalChoice): Promise<void> {
    const issued = this.issued.get(host)
    if (issued !== undefined) issued.certificate = { ...issued.certificate, renewAt, renewal }
  }

  async eraseRemoved(before: number): Promise<string[]> {
    const old = [...this.kept.values()].filter(({ removedAt }) => removedAt !== null && removedAt < before)
    for (const { host } of old) {
      this.kept.delete(host)
      this.issued.delete(host)
    }
    return old.map(({ host }) => host)
  }

  async account(directory: string): Promise<KeptAccount | null> {
    return this.accounts.get(directory) ?? null
  }

  async keepAccount(directory: string, account: KeptAccount): Promise<void> {
    this.accounts.set(directory, account)
  }

  async read(host: string): Promise<PairText | null> {
    return this.issued.get(host)?.pair ?? null
  }

  private found(host: string): KeptName | null {
    const name = this.kept.get(host)
    return name === undefined ? null : { ...name, certificate: this.issued.get(host)?.certificate ?? null }
  }
}

class MemoryOrderLog implements OrderLog {
  private orders: KeptOrder[] = []
  private lastId = 0

  async begin(order: OrderBegun): Promise<number> {
    this.orders.push({ ...order, id: ++this.lastId, outcome: null })
    return this.lastId
  }

  async end(id: number, outcome: OrderOutcome): Promise<void> {
    this.orders = this.orders.map((order) => (order.id === id ? { ...order, outcome } : order))
  }

  async since(instant: number): Promise<KeptOrder[]> {
    return this.orders.filter(({ beganAt }) => beganAt > instant)
  }

  async tidy(before: number, now: number): Promise<void> {
    this.orders = this.orders
      .filter(({ beganAt, id }) => beganAt >= before || id > this.lastId - ordersKeptMin)
      .map((order) => (order.beganAt > now ? { ...order, beganAt: now } : order))
  }
}
