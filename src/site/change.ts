import type { AssetKind } from '../asset/asset.ts'

/** One line of what an `apply` changes. */
export interface Change {
  action: 'create' | 'update' | 'delete'
  kind: 'account' | 'settings' | 'key' | 'form' | 'delivery' | AssetKind
  name: string
  /** More for a person's eyes; `null`: the line says it all. */
  note: string | null
}
