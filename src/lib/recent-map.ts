/**
 * A bounded memory of recent results, in two generations: what is used while the younger one fills is carried over, the
 * rest is forgotten. At most twice `generationMax` entries.
 */
export class RecentMap<Value> {
  private recent = new Map<string, Value>()
  private older = new Map<string, Value>()

  constructor(private readonly generationMax: number) {}

  get(key: string): Value | undefined {
    const known = this.recent.get(key)
    if (known !== undefined) return known
    const aged = this.older.get(key)
    if (aged !== undefined) this.set(key, aged)
    return aged
  }

  set(key: string, value: Value): void {
    if (this.recent.size >= this.generationMax) {
      this.older = this.recent
      this.recent = new Map()
    }
    this.recent.set(key, value)
  }
}
